import { expect, test } from "vitest";
import { studyKindInfo } from "@/study-kinds/registry";
import { kind as ranking } from "@/study-kinds/ranking";
import { makeBatch, makeDashboard, makeShares, makeUnansweredBatch } from "./fixtures";
import {
  isShareHidden,
  shareLabel,
  overallDistributionText,
  summaryStats,
  expertName,
  resultLabel,
  distributionText,
  distributionParts,
  durationLabel,
  unansweredBatchesText,
} from "./labels";

const ALL_ANSWERED = { confirmed: 6, changed: 4, not_sure: 2, skipped: 0 };
const MONDAY = new Date("2026-03-02T12:00:00Z");

function figures(more: Partial<ReturnType<typeof makeDashboard>["totals"]> = {}, status: "open" | "closed" = "open") {
  const one = makeDashboard();
  const totals = { ...one.totals, ...more };
  const shown = summaryStats(ranking, { ...one, totals, study: { ...one.study, status } }, MONDAY);
  return shown.map(({ value, note }) => [value, note].filter(Boolean).join(" "));
}

test("four figures say how far the study is, how long, how changed, and until when", () => {
  expect(figures()).toEqual(["12 of 20", "41 s without idle time", "40% of 9 answers; 17% of 9 answers ‘not sure’, left out", "Thursday 2 experts"]);
});

test("a study that nobody joined has words where its numbers will be", () => {
  const none = { answered: 0, expected: 0, experts: 0, finish_at: null };
  const unknown = { median_active_ms: null, shares: makeShares(null) };
  expect(figures({ ...none, ...unknown })).toEqual([
    "none yet nobody is assigned",
    "no times yet",
    "too few to tell",
    "not known yet no experts yet",
  ]);
});

test("a study that is done says so, a closed one that it is closed", () => {
  expect(figures({ answered: 20, finish_at: null })[3]).toBe("all done 2 experts");
  expect(figures({ finish_at: null }, "closed")[3]).toBe("closed 2 experts");
});

test("the parts of a batch add up to what is expected", () => {
  expect(distributionParts(ranking, makeBatch()).map(({ count }) => count)).toEqual([6, 4, 0, 2, 8]);
  expect(distributionText(ranking, makeBatch())).toBe("6 agreed, 4 changed, 2 not sure, 8 not answered");
});

test("answers without an order shown are counted beside the others, each outcome with a colour of its own", () => {
  const mixed = makeBatch({ outcomes: { confirmed: 3, changed: 3, ranked: 5, not_sure: 1, skipped: 0 } });
  expect(distributionText(ranking, mixed)).toBe("3 agreed, 3 changed, 5 ranked, 1 not sure, 8 not answered");
  const parts = distributionParts(ranking, mixed).map(({ part }) => part);
  expect(new Set(parts).size).toBe(parts.length);
  expect(overallDistributionText(ranking, [mixed])).toMatch(
    /^Of 12 answers, 25% agree with the order shown, 25% change it, 42% rank without an order shown and 8% are not sure\./,
  );
  const hidden = makeBatch({ outcomes: { confirmed: 0, changed: 0, ranked: 12, not_sure: 0, skipped: 0 } });
  expect(overallDistributionText(ranking, [hidden])).toMatch(/^Of 12 answers, 100% rank without an order shown\./);
  expect(distributionText(ranking, hidden)).toBe("12 ranked, 8 not answered");
});

test("while results are not shown, answers are counted together and shares are missing with the reason", () => {
  const shares = makeShares(0.4, 2 / 12).slice(1);
  const outcomes = { answered: 10, not_sure: 2, skipped: 1 };
  const hidden = makeBatch({ outcomes, shares });
  expect(distributionText(ranking, hidden)).toBe("10 answered, 2 not sure, 8 not answered");
  expect(overallDistributionText(ranking, [hidden])).toBe("Of 12 answers, 83% are sure and 17% are not sure. 8 are left, 1 of them skipped.");
  expect([shareLabel(ranking, hidden), shareLabel(ranking, { ...hidden, answered: 0 })]).toEqual(["not shown yet", "not yet"]);
  expect([isShareHidden(ranking.dashboard, [hidden]), isShareHidden(ranking.dashboard, [makeBatch()])]).toEqual([true, false]);
  expect(figures({ outcomes, shares })[2]).toBe("not shown yet 17% of 9 answers ‘not sure’, left out");
});

test("batches that the picture leaves out are named beside it", () => {
  const rest = [2, 3, 5].map((number) => makeUnansweredBatch({ number }));
  expect(unansweredBatchesText([makeBatch(), ...rest])).toBe("No answers yet in batches 2–3, 5.");
  expect(unansweredBatchesText([makeBatch()])).toBe("");
});

test("the picture is also a sentence", () => {
  expect(overallDistributionText(ranking, [makeBatch(), makeBatch()])).toBe(
    "Of 24 answers, 50% agree with the order shown, 33% change it and 17% are not sure. 16 are left, 2 of them skipped.",
  );
  expect(overallDistributionText(ranking, [makeBatch({ expected: 12, outcomes: ALL_ANSWERED })])).toMatch(/No questions are left\.$/);
  expect(overallDistributionText(ranking, [makeBatch({ expected: 13, outcomes: ALL_ANSWERED })])).toMatch(/1 is left, none of them skipped\.$/);
  expect(overallDistributionText(ranking, [makeUnansweredBatch()])).toBe("No answers yet.");
});

test("a share or a time that is missing says why", () => {
  expect(shareLabel(ranking, makeBatch())).toBe("40%");
  expect(shareLabel(ranking, makeUnansweredBatch())).toBe("not yet");
  expect(shareLabel(ranking, { answered: 2, shares: makeShares(null) })).toBe("none to compare");
  expect([durationLabel(41_000), durationLabel(null)]).toEqual(["41 s", "not yet"]);
});

test("a recent answer has its result where that is no part of the answer", () => {
  expect(resultLabel(ranking, { outcome: "answered" })).toBe("answered");
  expect(resultLabel(ranking, { outcome: "not_sure" })).toBe("not sure");
  expect(resultLabel(ranking, { outcome: "skipped" })).toBe("skipped");
});

test("results of a kind without an editor go by their names", () => {
  const info = studyKindInfo("a newer kind");
  expect(resultLabel(info, { outcome: "left_better" })).toBe("left better");
  expect(shareLabel(info, makeBatch())).toBe("");
});

test("a simulated expert is never taken for a person", () => {
  expect(expertName({ name: "Dr Ada", is_simulated: false })).toBe("Dr Ada");
  expect(expertName({ name: "Dr Ada", is_simulated: true })).toBe("Dr Ada (simulated)");
  expect(expertName({ name: "Simulated expert A", is_simulated: true })).toBe("Simulated expert A");
});
