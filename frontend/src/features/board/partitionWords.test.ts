import { expect, test } from "vitest";
import type { PartitionedStudy } from "@/api/contract";
import { partitionWords } from "./partitionWords";

function made(more: Partial<PartitionedStudy> = {}): PartitionedStudy {
  const none = { few_raters: [], few_candidates: [], not_sure_left_out: 0, skipped_left_out: 0, kept: 0, calibrations: 0 };
  const method = { partitions: 12, new: 12, tied: 0 };
  return { study: "Drugs", question_set: "set-1", questions: 12, expert: method, llm: method, ...none, ...more };
}

test("what was made is said without what did not happen", () => {
  expect(partitionWords(made())).toEqual([
    "Experts: 12 of 12 questions have a partition, 12 of them new.",
    "Language models: 12 partitions of the order shown first, 12 of them new.",
  ]);
});

test("what was left out is named with its reason, a long list cut", () => {
  const numbers = Array.from({ length: 12 }, (_, place) => place + 1);
  const said = partitionWords(made({ few_raters: numbers, few_candidates: [7], not_sure_left_out: 3, skipped_left_out: 1 }));
  expect(said.slice(2)).toEqual([
    "Left out, for fewer than two experts put them in order: 12 questions (1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more).",
    "Left out, for they have too few candidates: 1 question (7).",
    "Answers that do not count: 3 not sure, 1 skipped.",
  ]);
});

test("ties, what was there before and what is still worked out are told", () => {
  const [experts, models, weights] = partitionWords(made({ expert: { partitions: 1, new: 0, tied: 1 }, kept: 2, calibrations: 1 }));
  expect(experts).toBe("Experts: 1 of 12 questions have a partition, none of them new. In 1 a tie was decided by the order of the file.");
  expect(models).toMatch(/2 from elsewhere stayed as they are\.$/);
  expect(weights).toMatch(/weights that fit these experts/);
});
