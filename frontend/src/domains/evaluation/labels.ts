import { formatLongDate, LARGE_UNITS } from "@/lib/format";
import type { BoardMetric, BoardRow, EvaluatedTrack, Release } from "./queries";

/** Decimals of a metric's values: percentages have one, fractions three. */
const DECIMALS: Record<string, number> = { percent: 1, fraction: 3 };

export function scoreText(value: number, metric: Pick<BoardMetric, "unit">): string {
  return value.toFixed(DECIMALS[metric.unit] ?? 2);
}

/** '71.2 (68.0 to 74.1)'; without an interval the value alone. */
export function intervalText([, low, high]: (number | null)[], metric: Pick<BoardMetric, "unit">): string {
  return low === null || low === undefined || high === null || high === undefined
    ? "no interval"
    : `${scoreText(low, metric)} to ${scoreText(high, metric)}`;
}

export type IntervalReason = BoardRow["interval_reasons"][string];

/** What marks such an interval, in a sentence. */
export const INTERVAL_SENTENCES: Record<IntervalReason, string> = {
  few_clusters: "Approximate: few independent groups of items count in the value.",
  too_few_clusters: "Too few items: fewer independent groups than an interval needs count in the value.",
  undefined: "'Nothing to count' or 'nothing predicted': the value stands at the worst, and has no interval.",
};

/** Why the interval of a score is approximate or missing. A standing of before intervals had reasons has none. */
export const intervalReason = ({ interval_reasons: reasons }: { interval_reasons?: BoardRow["interval_reasons"] }, key: string) => reasons?.[key];

/** An interval with its mark, or why there is none: of a precision, that nothing was predicted. */
function markedInterval(score: (number | null)[], reason: IntervalReason | undefined, metric: Pick<BoardMetric, "unit" | "id">): string {
  if (reason === "undefined") return metric.id.includes("precision") ? "nothing predicted" : "nothing to count";
  if (reason === "too_few_clusters") return "no interval, too few items";
  return `${intervalText(score, metric)}${reason ? ", approximate" : ""}`;
}

const MOST_OF_PART = 99;

/** '83%'; a part of the items is never rounded to all of them. */
export function coverageText(share: number): string {
  return `${share < 1 ? Math.min(Math.round(100 * share), MOST_OF_PART) : 100}%`;
}

/** 'coverage 83%' of a score; empty where all its items were answered. An earlier standing has it of all items alone. */
export function coverageNote({ coverages }: { coverages?: BoardRow["coverages"] }, key: string): string {
  const share = coverages?.[key];
  return share === undefined ? "" : `coverage ${coverageText(share)}`;
}

/** That of a score of an entry. */
export function scoreNote(row: Pick<BoardRow, "scores" | "interval_reasons">, key: string, metric: Pick<BoardMetric, "unit" | "id">): string {
  return markedInterval((row.scores[key] ?? []).slice(0, 3), intervalReason(row, key), metric);
}

/** '2 to 5': all ranks that the items cannot exclude. */
export function rankText(rank: BoardRow["rank"]): string {
  if (!rank) return "not ranked";
  const { best, worst } = rank;
  return best === worst ? String(best) : `${best} to ${worst}`;
}

/** Slices of all items have several names in files, as their papers have. */
export const itemsLabel = (slice: string, overall: string | undefined) => (slice === overall ? "All items" : slice);

export const PROVENANCE_LABELS: Record<string, string> = {
  evaluated: "evaluated here",
  reproduced: "reproduced",
  self_reported: "self-reported",
  baseline: "baseline",
};

export function formatDollars(cost: number): string {
  return `$${cost.toFixed(2)}`;
}

export function formatLatency(seconds: number): string {
  return `${seconds < 1 ? Number(seconds.toPrecision(2)) : seconds.toFixed(1)} s`;
}

export function entryName({ model, anonymous_until: until }: Pick<BoardRow, "model" | "anonymous_until">): string {
  if (model) return model.name;
  return until ? `Anonymous until ${formatLongDate(until)}` : "Anonymous entry";
}

/** The title alone is unique within a paper only. */
export const trackLabel = ({ paper, title }: EvaluatedTrack) => `${paper}: ${title}`;

/** Methods of partitions. */
export const PARTITIONS: Record<string, string> = { expert: "Experts", llm: "Language models", rns: "RNS" };

/** The stored method for the surroundings of a release's questions, in place of a partition's. */
export const SURROUNDINGS = "surroundings";

/** Within a sentence: 'masked by experts'. */
export function maskMethodLabel(method: string): string {
  if (method === SURROUNDINGS) return "surroundings of the questions";
  const label = PARTITIONS[method] ?? method;
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/**
 * The releases in their order, the main one first: the one of the overview, which the server chooses. Then
 * the open ones, and last those that are deprecated.
 */
export function orderReleases<T extends Pick<Release, "slug" | "state">>(releases: T[], main: string | undefined): T[] {
  const place = ({ slug, state }: T) => {
    if (slug === main) return 0;
    if (state === "open") return 1;
    return state === "deprecated" ? 3 : 2;
  };
  return releases.toSorted((one, other) => place(one) - place(other));
}

/** Whether no more predictions are taken. */
export const hasEnded = ({ state }: Pick<Release, "state">) => state === "closed" || state === "deprecated";

export const RELEASE_STATES: Record<Release["state"], string> = {
  draft: "draft",
  announced: "not open yet",
  open: "open",
  closed: "closed",
  deprecated: "deprecated",
};

/** '70.6 billion'. */
export function formatParameters(count: number): string {
  const [size, name] = LARGE_UNITS.find(([least]) => count >= least) ?? [1e6, "million"];
  return `${Number((count / size).toPrecision(3))} ${name}`;
}

/** Within a sentence: 'accuracy', but 'MRR' and 'SerenHit'. */
export const metricInSentence = ({ label }: { label: string }) => (/^[A-Z][a-z]+(?![A-Za-z])/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label);

const YEARS_END = 9_999;

/** 'PMID 36600000' or 'Year 2015': no PMID of the literature is as small as a year. */
export const cutoffText = (cutoff: number) => `${cutoff <= YEARS_END ? "Year" : "PMID"} ${cutoff}`;

/** Beside lists with such entries. */
export const SIMULATED_NOTE = "Simulated entries are made up, to show what a board looks like.";

interface ListedEntry {
  name: string | null;
  is_simulated: boolean;
}

export function hasSimulated(tracks: { evaluated: { best: ListedEntry[] } | null }[]): boolean {
  return tracks.some(({ evaluated }) => evaluated?.best.some((one) => one.is_simulated));
}
