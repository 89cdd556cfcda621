/** Each part of RNS in one sentence, with what it means for the sets that were measured. */
import { formatNumber } from "@/domains/graphs/evidenceLabels";
import { formatCoefficient, formatCount } from "@/lib/format";
import type { Rns } from "./api";
import type { ScorePart } from "@/lib/weights/simplex";

interface PartExplanation {
  part: ScorePart;
  symbol: string;
  formula: string;
  words: (rns: Rns) => string;
}

export const PART_EXPLANATIONS: PartExplanation[] = [
  {
    part: "relevance",
    symbol: "R",
    formula: "R = − mean over both sets of ‖x̂ᵢ − x̂ⱼ‖ / 2",
    words: ({ relevance }) =>
      `Mean distance of the vectors of the two sets: ${formatCoefficient(-relevance)}. 0 is identical, 0.71 unrelated, 1 opposite.`,
  },
  {
    part: "novelty",
    symbol: "N",
    formula: "N = 1 − Σᵢ P(i) Σⱼ P(j|i) log₂(P(j|i) / P(j))",
    words: ({ mutual_information: mi, parameters }) =>
      `Mutual information of the two sets: ${formatNumber(mi)} bits. N is 1 minus that.${parameters.novelty === "printed" ? " It is tiny for any sets, because each entity has a tiny share of the graph." : ""}`,
  },
  {
    part: "surprise",
    symbol: "S",
    formula: "S = JSD₂(mean of Pₖ(·|s), mean of Pₖ(·|e))",
    words: ({ parameters }) =>
      `Divergence of where walks from the two sets arrive ${parameters.support === "all" ? "in the whole graph" : "among the two sets"}. 0 is the same places, 1 none in common.`,
  },
];

/** What a high value of each means beside random sets: R is never above 0, and 0 is the closest. */
const COMPARED: Record<ScorePart | "total", string> = {
  relevance: "Closer to each other than",
  novelty: "Newer to each other than",
  surprise: "More surprising than",
  total: "More than",
};

/** 'More than 84 of 100 random sets of the same sizes and types.' */
export function percentileText(part: ScorePart | "total", percentile: number, draws: number): string {
  return `${COMPARED[part]} ${formatCount(Math.round((percentile * draws) / 100))} of ${formatCount(draws)} random sets of the same sizes and types.`;
}
