/** Which relations a reader looks for first, judged by their words: what it treats, acts on, causes. */
import type { RelationCount } from "./api";

const IMPORTANCE = [
  /\b(treat|indicat|palliat|reliev)/i,
  /\b(inhibit|block|activat|bind|bound|target|acts? on|acted on|modulat|upregulat|downregulat)/i,
  /\b(caus|side.effect|lead to|follow from|can show|sign of|associat|linked to)/i,
  /\b(tested|trial|off-label)/i,
];
/** A reason to avoid a drug is not one of its uses, whatever its words share with one. */
const AVOIDED = /contraindicat|avoid/i;
const MAX_OPEN_IMPORTANT = 3;
const CAUSES = 2;
/** As many rows need no disclosure. */
const MAX_FEW = 2;

/** 0 for the most important. */
export function relationRank({ phrase }: { phrase: string }): number {
  const at = AVOIDED.test(phrase) ? -1 : IMPORTANCE.findIndex((pattern) => pattern.test(phrase));
  return at < 0 ? IMPORTANCE.length : at;
}

export function byImportance<R extends { phrase: string; count: number }>(relations: readonly R[]): R[] {
  return relations.toSorted((a, b) => relationRank(a) - relationRank(b) || b.count - a.count || a.phrase.localeCompare(b.phrase));
}

/** The relations shown as lists and those shown as bars, each in the order of importance. */
export function splitRelations(relations: readonly RelationCount[]): { lists: RelationCount[]; bars: RelationCount[] } {
  const ordered = byImportance(relations);
  const important = ordered.filter((one) => relationRank(one) <= CAUSES).slice(0, MAX_OPEN_IMPORTANT);
  const isList = (one: RelationCount) => important.includes(one) || one.count <= MAX_FEW;
  return { lists: ordered.filter(isList), bars: ordered.filter((one) => !isList(one)) };
}
