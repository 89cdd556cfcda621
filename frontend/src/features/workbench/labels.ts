/** The workbench's words: methods, parts, sets and shares. */
import type { Method, Preset, WorkbenchPartition } from "./api";

export const METHOD_LABELS: Record<Method, { column: string; who: string }> = {
  rns: { column: "By RNS", who: "RNS" },
  llm: { column: "By models", who: "the models" },
  expert: { column: "By experts", who: "the experts" },
};

export const PRESET_LABELS: Record<Preset["name"], string> = {
  equal: "Equal",
  relevance: "Relevance only",
  novelty: "Novelty only",
  surprise: "Surprise only",
  calibrated: "Calibrated",
};

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Which side of a partition has the candidate, or what stands there where neither has. */
export function sideLabel({ serendipity, existing }: WorkbenchPartition, position: number, neither: string): string {
  if (serendipity.includes(position)) return "serendipitous";
  return existing.includes(position) ? "existing" : neither;
}

/** A share of the map: never 0% for what is there, never 100% while something else is too. */
export function shareLabel(share: number): string {
  if (share < 0.01) return "under 1%";
  if (share > 0.99 && share < 1 - 1e-6) return "over 99%";
  return `${Math.round(100 * share)}%`;
}
