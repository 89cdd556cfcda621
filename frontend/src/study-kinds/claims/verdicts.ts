import type { ShownChoice } from "@/domains/studies/answer-board/ChoiceBar";

export type Verdict = "supported" | "contradicted" | "not_enough" | "not_sure";

/** What an expert can choose, in the order in which it is shown, with the key of each. */
export const VERDICTS: ShownChoice<Verdict>[] = [
  { value: "supported", key: "1", label: "Supported" },
  { value: "contradicted", key: "2", label: "Contradicted" },
  { value: "not_enough", key: "3", label: "Not enough evidence" },
  { value: "not_sure", key: "n", label: "Not sure" },
];

export const verdictLabel = (verdict: string): string => VERDICTS.find(({ value }) => value === verdict)?.label ?? verdict;
