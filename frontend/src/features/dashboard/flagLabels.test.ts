import { expect, test } from "vitest";
import { flagText, qualificationLabel, questionFlagText } from "./flagLabels";

test("each flag is words with the figures behind it", () => {
  expect(flagText({ name: "fast", value: 0.25, n: 40, note: "Expected: 0.00." })).toBe("Worse when fast: +0.25 over 40 answers. Expected: 0.00.");
  expect(flagText({ name: "drift", value: -0.3, n: 24, note: "" })).toBe("Changed: −0.30 over 24 answers.");
  expect(flagText({ name: "straight_lining", value: 0.967, n: 60, note: "Expected: 0.52." })).toBe("Nearly always the same: 97% over 60 answers. Expected: 0.52.");
  expect(flagText({ name: "gold_failed", value: 1, n: 3, note: "" })).toBe("Known answers wrong: 100% over 3 answers.");
  expect(flagText({ name: "silent", value: 5, n: 1, note: "" })).toBe("Silent for 5 days, 1 question left");
});

test("a question’s flag names what is likely wrong with it", () => {
  expect(questionFlagText({ name: "disputed_key", value: 0.1, n: 20, note: "Expected: 0.80." }))
    .toBe("The known answer is likely wrong: 10% of 20 experts gave it. Expected: 0.80.");
  expect(questionFlagText({ name: "negative_discrimination", value: -0.71, n: 17, note: "" }))
    .toBe("Able experts disagree with the others here: correlation −0.71 over 17 experts.");
});

test("the state of a qualification has its figures", () => {
  const figures = { right: 2, answered: 3, items: 3, minimum: 3 };
  expect(qualificationLabel({ ...figures, state: "failed" })).toBe("Not qualified: 2 of 3 right, 3 needed");
  expect(qualificationLabel({ ...figures, state: "open" })).toBe("Qualification: 3 of 3 answered");
});
