/** Answers on scales from 1 to 5, for every kind that rates: the one place in the pages that names their fields. */
import type { Item } from "@/api/contract";
import { lineDifferences, lineTexts, type AnswerLine } from "@/domains/studies/answerLines";
import type { AnswerDifference, SubmissionInfo } from "@/domains/studies/studyKind";
import { formatList } from "@/lib/format";

export const LEVELS = [1, 2, 3, 4, 5] as const;

export type Level = (typeof LEVELS)[number];

/** In the order in which they are shown, each with the digit of its place. */
export const UNSURE_REASONS = [
  { reason: "outside_my_field", label: "Outside my field" },
  { reason: "text_unclear", label: "The text is unclear" },
  { reason: "scale_unclear", label: "The scale is unclear" },
  { reason: "other", label: "Another reason" },
] as const;

export type UnsureReason = (typeof UNSURE_REASONS)[number]["reason"];

/** low, high: what 1 and 5 mean. */
export interface RatingScale {
  name: string;
  question: string;
  low: string;
  high: string;
}

export type ScaledItem = Item & { scales: RatingScale[] };

/** By scale; a scale with neither level nor reason has no answer yet. */
export type ScaledAnswer = { levels: Record<string, Level | null>; unsure: Record<string, UnsureReason>; comment: string };

export const emptyAnswer = ({ scales }: ScaledItem): ScaledAnswer => ({
  levels: Object.fromEntries(scales.map(({ name }) => [name, null])),
  unsure: {},
  comment: "",
});

export const levelOf = ({ levels }: ScaledAnswer, name: string): Level | null => levels[name] ?? null;

export const reasonOf = ({ unsure }: ScaledAnswer, name: string): UnsureReason | null => unsure[name] ?? null;

export const isComplete = (answer: ScaledAnswer, name: string) => levelOf(answer, name) !== null || reasonOf(answer, name) !== null;

export const isUnsureReason = (value: unknown): value is UnsureReason => UNSURE_REASONS.some(({ reason }) => reason === value);

export const isLevel = (value: unknown): value is Level => LEVELS.some((level) => level === value);

export const reasonLabel = (reason: string) => UNSURE_REASONS.find((one) => one.reason === reason)?.label ?? reason;

export function withLevel<Answer extends ScaledAnswer>(answer: Answer, name: string, level: Level): Answer {
  const unsure = Object.fromEntries(Object.entries(answer.unsure).filter(([scale]) => scale !== name));
  return { ...answer, levels: { ...answer.levels, [name]: level }, unsure };
}

export const withReason = <Answer extends ScaledAnswer>(answer: Answer, name: string, reason: UnsureReason): Answer => ({
  ...answer,
  levels: { ...answer.levels, [name]: null },
  unsure: { ...answer.unsure, [name]: reason },
});

export function isSameAnswer(left: ScaledAnswer, right: ScaledAnswer): boolean {
  const names = new Set([left, right].flatMap(({ levels, unsure }) => [...Object.keys(levels), ...Object.keys(unsure)]));
  const isSameScale = (name: string) => levelOf(left, name) === levelOf(right, name) && reasonOf(left, name) === reasonOf(right, name);
  return left.comment === right.comment && [...names].every(isSameScale);
}

/** label: on the button once all is rated. */
export function submissionOf({ scales }: ScaledItem, answer: ScaledAnswer, label = "Submit"): SubmissionInfo {
  const info = { step: "submitted", isAgreement: false };
  const missing = scales.filter(({ name }) => !isComplete(answer, name)).length;
  if (missing > 0) return { ...info, outcome: "", label: `${missing} of ${scales.length} to rate`, isIncomplete: true };
  const isUnsure = scales.every(({ name }) => levelOf(answer, name) === null);
  return isUnsure ? { ...info, outcome: "not_sure", label: "Submit ‘not sure’" } : { ...info, outcome: "rated", label };
}

/** '4 of 5', 'not sure: outside my field', or empty. */
export function scaleText(answer: ScaledAnswer, name: string): string {
  const level = levelOf(answer, name);
  if (level !== null) return `${level} of 5`;
  const reason = reasonOf(answer, name);
  return reason === null ? "" : `not sure: ${reasonLabel(reason).toLowerCase()}`;
}

/** 'Naturalness: 4 of 5; Practicality: 3 of 5' */
export const levelsText = ({ scales }: ScaledItem, answer: ScaledAnswer) => scales.map(({ name }) => `${name}: ${scaleText(answer, name) || "none"}`).join("; ");

/** extra: lines of what the kind adds. */
function answerLines({ scales }: ScaledItem, answer: ScaledAnswer, extra: AnswerLine[] = []): AnswerLine[] {
  return [...scales.map(({ name }): AnswerLine => [name, scaleText(answer, name)]), ...extra, ["Comment", answer.comment]];
}

export function answerDifferences(item: ScaledItem, local: ScaledAnswer, saved: ScaledAnswer, [ofLocal, ofSaved]: [AnswerLine[], AnswerLine[]] = [[], []]): AnswerDifference[] {
  return lineDifferences(answerLines(item, local, ofLocal), answerLines(item, saved, ofSaved));
}

export const summarizeAnswer = (item: ScaledItem, answer: ScaledAnswer, extra: AnswerLine[] = []): string[] =>
  lineTexts(answerLines(item, answer, extra));

/** Why there is no level at all. */
export function unsureDetail({ unsure }: ScaledAnswer, outcome: string): string {
  if (outcome !== "not_sure") return "";
  return formatList([...new Set(Object.values(unsure).map((reason) => reasonLabel(reason).toLowerCase()))]);
}
