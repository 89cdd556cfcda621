import { expect, test } from "vitest";
import type { PartitionedStudy } from "./partitionQueries";
import { partitionSummary } from "./partitionSummary";

function makePartitions(more: Partial<PartitionedStudy> = {}): PartitionedStudy {
  const none = { few_raters: [], few_candidates: [], excluded: [], adjudicated: 0, without_membership: 0, other_top: [], is_complete: true, not_sure_left_out: 0, skipped_left_out: 0, llm_unchanged: 0, calibrations: 0 };
  const method = { partitions: 12, new: 12, tied: 0 };
  return { study: "Drugs", question_set: "set-1", questions: 12, expert: method, llm: method, ...none, ...more };
}

test("what was made is sentences without what did not happen", () => {
  expect(partitionSummary(makePartitions())).toEqual([
    "Experts: 12 of 12 questions have a partition, 12 of them new.",
    "Language models: 12 partitions of the order shown first, 12 of them new.",
  ]);
});

test("questions where the probabilities prefer another candidate are named", () => {
  expect(partitionSummary(makePartitions({ other_top: [{ batch: 2, number: 5 }] }))).toContain("Probability prefers a candidate outside the serendipity set: 1 question (batch 2: 5).");
});

test("what was left out is named with its reason, a long list cut", () => {
  const omitted = Array.from({ length: 12 }, (_, place) => ({ batch: place < 4 ? 1 : 2, number: (place % 4) + 9 }));
  const sentences = partitionSummary(makePartitions({ few_raters: omitted, few_candidates: [{ batch: 3, number: 7 }], excluded: [{ batch: 1, number: 2 }], adjudicated: 4, not_sure_left_out: 3, skipped_left_out: 1 }));
  expect(sentences.slice(2)).toEqual([
    "Left out because fewer than two experts ranked them: 12 questions (batch 1: 9, 10, 11, 12; batch 2: 9, 10, 11, 12, 9, 10 and 2 more).",
    "Left out because they have too few candidates: 1 question (batch 3: 7).",
    "Left out because a coordinator excluded them: 1 question (batch 1: 2).",
    "From an adjudicated order: 4 partitions.",
    "Answers that do not count: 3 not sure, 1 skipped.",
  ]);
});

test("ties, what was there before and what is still computed are reported", () => {
  const [experts, models, weights] = partitionSummary(makePartitions({ expert: { partitions: 1, new: 0, tied: 1 }, llm_unchanged: 2, calibrations: 1 }));
  expect(partitionSummary(makePartitions({ without_membership: 12 }))).toContain("Without the probability of each candidate, as ties among many have no model: 12 partitions.");
  expect(partitionSummary(makePartitions({ without_membership: 72, is_complete: false }))).toContain("The probability of each candidate is being computed for 72 partitions and added to them.");
  expect(experts).toBe("Experts: 1 of 12 questions have a partition, none of them new. In 1 a tie was decided by the order of the file.");
  expect(models).toMatch(/2 from elsewhere stayed as they are\.$/);
  expect(weights).toMatch(/Calibrated weights are being computed/);
});
