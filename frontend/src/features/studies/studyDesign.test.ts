import { expect, test } from "vitest";
import { changedChecks, checkDesign, checkFields, EMPTY_CHECKS, EMPTY_DESIGN, toRequest } from "./studyDesign";

const FILLED = { ...EMPTY_DESIGN, name: "Loop", questionSet: "set-1" };

test("an empty form names what is missing", () => {
  expect(checkDesign(EMPTY_DESIGN)).toEqual({ name: "Enter a name.", questionSet: "Choose a question set." });
  expect(checkDesign(FILLED)).toEqual({});
});

test.each(["0", "-1", "1.5", "", "1001", "three"])("an overlap of '%s' is refused in a pool alone", (overlap) => {
  expect(checkDesign({ ...FILLED, rule: "pool", overlap })).toHaveProperty("overlap");
  expect(checkDesign({ ...FILLED, rule: "batches", overlap })).toEqual({});
});

test.each(["81", "-1", ""])("'%s' %% by information is refused in a pool alone", (adaptivePercent) => {
  expect(checkDesign({ ...FILLED, rule: "pool", adaptivePercent })).toEqual({ adaptivePercent: "Enter a whole number from 0 to 80." });
  expect(checkDesign({ ...FILLED, rule: "batches", adaptivePercent })).toEqual({});
});

test("repeats are at most a tenth", () => {
  expect(checkDesign({ ...FILLED, repeatPercent: "10" })).toEqual({});
  expect(checkDesign({ ...FILLED, repeatPercent: "11" })).toEqual({ repeatPercent: "Enter a whole number from 0 to 10." });
});

test("arms of order and evidence are sent beside the prior's, and the rule of a pool", () => {
  const fields = { ...FILLED, rule: "pool", adaptivePercent: "80", evidencePercent: "30", reversedPercent: "50" } as const;
  expect(toRequest(fields)).toMatchObject({ adaptive_share: 0.8, arm_shares: { order: { reversed: 0.5 }, evidence: { hidden: 0.3 } } });
  expect(toRequest({ ...fields, rule: "batches" })).toMatchObject({ adaptive_share: 0 });
});

test("shares are sent as fractions, and none where every order is shown", () => {
  expect(toRequest({ ...FILLED, rule: "pool", hiddenPercent: "50" })).toMatchObject({ overlap: 3, arm_shares: { prior: { hidden: 0.5 } } });
  expect(toRequest(FILLED)).toMatchObject({ overlap: null, arm_shares: {} });
});

test("an import sends the options that differ from the defaults", () => {
  expect(changedChecks(EMPTY_CHECKS)).toEqual({});
  const pool = { ...EMPTY_CHECKS, rule: "pool", goldPercent: "20", goldFeedback: "each", qualificationItems: "4", qualificationMinimum: "3" } as const;
  expect(changedChecks(pool)).toEqual({ overlap: "3", gold_share: "0.2", gold_feedback: "each", qualification_items: "4", qualification_minimum: "3" });
  expect(changedChecks({ ...pool, rule: "batches" })).toEqual({ gold_share: "0.2", gold_feedback: "each" });
  expect(checkFields({ ...pool, qualificationMinimum: "5", goldPercent: "51" })).toMatchObject({ qualificationMinimum: expect.any(String), goldPercent: expect.any(String) });
  expect(toRequest({ ...FILLED, goldPercent: "10" })).toMatchObject({ gold_share: 0.1, gold_feedback: "never" });
});
