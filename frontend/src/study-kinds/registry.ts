/** The study kinds of this build, found by their folders. */
import type { PlanningInfo, PracticeInfo, StudyKind, StudyKindInfo } from "@/domains/studies/studyKind";
import { registerPayloadComparison } from "@/lib/offline/payloadComparison";

export interface KindModule {
  kind: StudyKind;
}

const kinds = new Map<string, StudyKind>();

/** Adds kinds, as `import.meta.glob` finds their modules. */
export function addStudyKinds(modules: Record<string, KindModule>): void {
  for (const { kind } of Object.values(modules)) {
    kinds.set(kind.name, kind);
    registerPayloadComparison(kind.name, (left, right) => kind.isSame(left, right));
  }
}

addStudyKinds(import.meta.glob<KindModule>("./*/index.ts", { eager: true }));

/** What a new study can be, the default first. */
export function listStudyKinds(): { value: string; label: string }[] {
  const known = [...kinds.values()].toSorted((left, right) => Number(right.isDefault ?? false) - Number(left.isDefault ?? false));
  return known.map(({ name, title }) => ({ value: name, label: title }));
}

/** Of the kinds that have practice questions, by name. */
export function listPractice(): [kind: string, practice: PracticeInfo][] {
  return [...kinds.values()].flatMap(({ name, practice }) => (practice ? [[name, practice]] : []));
}

/** Those that the front page shows. */
export function findPractice(): Required<PracticeInfo> | undefined {
  for (const [, { Measure, ...practice }] of listPractice()) if (Measure) return { ...practice, Measure };
  return undefined;
}

/** Of the kinds whose studies can be planned. */
export function listPlanning(): PlanningInfo[] {
  return [...kinds.values()].flatMap(({ planning }) => planning ?? []);
}

/** Of the kinds in which experts judge answers of predictions. */
export function listVerdictKinds(): { value: string; label: string }[] {
  return [...kinds.values()].flatMap(({ name, answerVerdicts }) => (answerVerdicts ? [{ value: name, label: answerVerdicts }] : []));
}

/** The kind of a study that compares sets of queries by their source. */
export function findQueryComparison(): string | undefined {
  return [...kinds.values()].find(({ comparesQueries }) => comparesQueries)?.name;
}

/** Undefined for a kind that is newer than this build. */
export function findStudyKind(name: string): StudyKind | undefined {
  return kinds.get(name);
}

const UNKNOWN_KIND: StudyKindInfo = {
  outcomes: [],
  dashboard: { measures: [], share: null, secondShare: null },
};

/** For lists and the dashboard: results of an unknown kind are shown by their names. */
export function studyKindInfo(name: string): StudyKindInfo {
  return kinds.get(name) ?? UNKNOWN_KIND;
}
