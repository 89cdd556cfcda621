/** The workbench's words: methods, parts, sets and shares. */
import type { Method, Preset } from "./api";
import type { Part } from "./simplex";

export const METHOD_WORDS: Record<Method, { column: string; who: string }> = {
  rns: { column: "By RNS", who: "RNS" },
  llm: { column: "By models", who: "the models" },
  expert: { column: "By experts", who: "the experts" },
};

export const PRESET_WORDS: Record<Preset["name"], string> = {
  equal: "Equal",
  relevance: "R",
  novelty: "N",
  surprise: "S",
  calibrated: "Calibrated",
};

export const PART_LETTERS: Record<Part, string> = { relevance: "R", novelty: "N", surprise: "S" };

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

export function listWords(names: string[]): string {
  return list.format(names);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A share of the map: never 0% for what is there, never 100% while something else is too. */
export function shareWords(share: number): string {
  if (share < 0.01) return "under 1%";
  if (share > 0.99 && share < 1 - 1e-6) return "over 99%";
  return `${Math.round(100 * share)}%`;
}
