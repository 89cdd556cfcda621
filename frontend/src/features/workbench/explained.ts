/** Each part of RNS in one sentence, with what it means for the sets that were measured. */
import { number } from "@/lib/evidenceWords";
import { coefficient, count, ordinal } from "@/lib/format";
import type { Rns } from "./api";
import type { Part } from "./simplex";

interface Explained {
  part: Part;
  letter: string;
  formula: string;
  words: (rns: Rns) => string;
}

export const PARTS_EXPLAINED: Explained[] = [
  {
    part: "relevance",
    letter: "R",
    formula: "R = − mean over both sets of ‖x̂ᵢ − x̂ⱼ‖ / 2",
    words: ({ relevance }) =>
      `The vectors of the two sets lie ${coefficient(-relevance)} apart on average, where 0 is the same place, 0.71 has nothing in common and 1 is opposite.`,
  },
  {
    part: "novelty",
    letter: "N",
    formula: "N = 1 − Σᵢ P(i) Σⱼ P(j|i) log₂(P(j|i) / P(j))",
    words: ({ mutual_information: mi, parameters }) =>
      `The existing set tells ${number(mi)} bits about the serendipity set${parameters.novelty === "printed" ? ", a number that is tiny for any sets because each entity has a tiny share of the graph" : ""}, and N is 1 minus that.`,
  },
  {
    part: "surprise",
    letter: "S",
    formula: "S = JSD₂(mean of Pₖ(·|s), mean of Pₖ(·|e))",
    words: ({ parameters }) =>
      `Where walks from the two sets arrive ${parameters.support === "all" ? "in the whole graph" : "among the two sets"} differs by so much, from 0 for the same places to 1 for none in common.`,
  },
];

/** 'Higher than 84 of 100 random sets of the same sizes and types.' */
export function percentileWords(value: number, draws: number): string {
  return `At the ${ordinal(Math.round(value))} percentile of ${count(draws)} random sets of the same sizes and types.`;
}
