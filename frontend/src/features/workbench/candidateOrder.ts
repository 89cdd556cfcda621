/** In which order the candidates of a question are listed. */
import type { WorkbenchCandidate } from "./api";
import { barTotal } from "./Bar";
import type { Weights } from "@/lib/weights/simplex";

export const CANDIDATE_ORDERS = [
  { value: "file", label: "As in the file" },
  { value: "rns", label: "RNS, highest first" },
  { value: "relevance", label: "Relevance, highest first" },
  { value: "novelty", label: "Novelty, highest first" },
  { value: "surprise", label: "Surprise, highest first" },
  { value: "name", label: "Name" },
] as const;

export type CandidateOrder = (typeof CANDIDATE_ORDERS)[number]["value"];

/** Those without a score come last. */
export function sortCandidates(candidates: WorkbenchCandidate[], order: CandidateOrder, weights: Weights): WorkbenchCandidate[] {
  if (order === "file") return candidates;
  if (order === "name") return candidates.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  const score = ({ bar }: WorkbenchCandidate) => {
    if (!bar) return -Infinity;
    return order === "rns" ? barTotal(bar, weights) : bar[order];
  };
  return candidates.toSorted((a, b) => score(b) - score(a) || a.position - b.position);
}
