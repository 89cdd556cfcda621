import { expect, test } from "vitest";
import { batch, board, unanswered } from "./samples";
import { changedInWords, divisionInWords, figuresOf, nameOf, outcome, partsInWords, partsOf, timeInWords, untouchedInWords } from "./words";

const MONDAY = new Date("2026-03-02T12:00:00Z");

function figures(more: Partial<ReturnType<typeof board>["totals"]> = {}, status: "open" | "closed" = "open") {
  const one = board();
  const totals = { ...one.totals, ...more };
  const shown = figuresOf({ ...one, totals, study: { ...one.study, status } }, MONDAY);
  return shown.map(({ value, note }) => [value, note].filter(Boolean).join(" "));
}

test("four figures say how far the study is, how long, how changed, and until when", () => {
  expect(figures()).toEqual(["12 of 20", "41 s idle left out", "40% 17% of answers not sure", "done Thursday 2 experts"]);
});

test("a study that nobody joined has words where its numbers will be", () => {
  const none = { answered: 0, expected: 0, experts: 0, finish_at: null };
  const unknown = { median_active_ms: null, changed_share: null, not_sure_share: null };
  expect(figures({ ...none, ...unknown })).toEqual([
    "none yet nobody is assigned",
    "no times yet",
    "too few to tell",
    "too few to tell no experts yet",
  ]);
});

test("a study that is done says so, a closed one that it is closed", () => {
  expect(figures({ answered: 20, finish_at: null })[3]).toBe("all done 2 experts");
  expect(figures({ finish_at: null }, "closed")[3]).toBe("closed 2 experts");
});

test("the parts of a batch add up to what is expected", () => {
  expect(partsOf(batch()).map(({ count }) => count)).toEqual([6, 4, 2, 8]);
  expect(partsInWords(batch())).toBe("6 agreed, 4 changed, 2 not sure, 8 skipped or left");
});

test("batches that the picture leaves out are named beside it", () => {
  const rest = [2, 3, 5].map((number) => unanswered({ number }));
  expect(untouchedInWords([batch(), ...rest])).toBe("Nothing is answered yet in batches 2–3, 5.");
  expect(untouchedInWords([batch()])).toBe("");
});

test("the picture is also a sentence", () => {
  expect(divisionInWords([batch(), batch()])).toBe(
    "Of 24 answers, the ‘not sure’ among them, 50% agree with the order shown, 33% change it and 17% are not sure. 16 are left, 2 of them skipped.",
  );
  expect(divisionInWords([batch({ expected: 12, skipped: 0 })])).toMatch(/Nothing is left\.$/);
  expect(divisionInWords([batch({ expected: 13, skipped: 0 })])).toMatch(/1 is left, none of them skipped\.$/);
  expect(divisionInWords([unanswered()])).toBe("Nothing is answered yet, so there is nothing to divide.");
});

test("a share or a time that is missing says why", () => {
  expect(changedInWords(batch())).toBe("40%");
  expect(changedInWords(unanswered())).toBe("not yet");
  expect(changedInWords({ answered: 2, changed_share: null })).toBe("no orders");
  expect([timeInWords(41_000), timeInWords(null)]).toEqual(["41 s", "not yet"]);
});

test("what happened is said with how sure the expert was, if she said so", () => {
  const row = { at: "", expert: { id: "1", name: "Ada", is_simulated: false }, batch_number: 1, question_number: 2 };
  expect(outcome({ ...row, state: "changed", confidence: 4 })).toBe("order changed, sure 4 of 5");
  expect(outcome({ ...row, state: "confirmed", confidence: null })).toBe("agreed");
  expect(outcome({ ...row, state: "not_sure", confidence: null })).toBe("not sure");
});

test("a simulated expert is never taken for a person", () => {
  expect(nameOf({ name: "Dr Ada", is_simulated: false })).toBe("Dr Ada");
  expect(nameOf({ name: "Dr Ada", is_simulated: true })).toBe("Dr Ada (simulated)");
  expect(nameOf({ name: "Simulated expert A", is_simulated: true })).toBe("Simulated expert A");
});
