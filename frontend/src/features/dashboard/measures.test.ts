import { expect, test } from "vitest";
import type { Statistic } from "@/api/contract";
import { kind as pairs } from "@/study-kinds/hypothesis_pairs";
import { kind } from "@/study-kinds/ranking";
import { makeAgreement, makeBatch, makeMeasure, makeStatistic, makeUnansweredBatch } from "./fixtures";
import { hasIntervals, listMeasures, measureDisplay, measureByKey, missingValueReasons } from "./measures";

const measureOf = (key: string | null) => {
  const measure = measureByKey(kind.dashboard.measures, key);
  if (!measure) throw new Error(`There is no measure ${key}.`);
  return measure;
};
const w = measureOf(null);
const withW = (statistic: Statistic) => [makeMeasure("kendall_w", statistic)];

type Reason = NonNullable<Statistic["reason"]>;

function worded(reason: Reason) {
  return makeBatch({ agreement: makeAgreement({ measures: withW(makeStatistic(null, { reason })) }) });
}

test("an agreement is a number, its interval, and what it rests on", () => {
  expect(measureDisplay(makeBatch(), w)).toMatchObject({
    kind: "value",
    text: "0.61",
    range: "0.50 to 0.71",
    long: "Kendall’s W 0.61, 95% interval 0.50 to 0.71, over 9 questions",
    scale: [0, 1],
  });
});

test("of an open study there is no interval, and the reason stands under the table", () => {
  const agreement = makeAgreement({ measures: withW(makeStatistic(0.6, { interval_reason: "still_open" })) });
  const open = makeBatch({ agreement });
  expect(measureDisplay(open, w)).toMatchObject({ text: "0.60", range: "interval once closed" });
  expect(missingValueReasons([open], w).map(({ text }) => text)).toEqual(["interval once closed"]);
  expect([hasIntervals([open], w), hasIntervals([open, makeBatch()], w)]).toEqual([false, true]);
});

test("each measure has its scale: tau-b goes below zero, top-1 is a share", () => {
  expect(measureDisplay(makeBatch(), measureOf("tau-b"))).toMatchObject({
    text: "−0.25",
    range: "−0.50 to 0.00",
    scale: [-1, 1],
  });
  expect(measureDisplay(makeBatch(), measureOf("top-1"))).toMatchObject({ text: "50%", range: "25% to 75%" });
});

test("an address with an unknown measure shows the first", () => {
  expect(measureOf("rho").key).toBe("kendall-w");
  expect(measureOf("top-1").key).toBe("top-1");
});

test.each<[Reason, string]>([
  ["too_few_rankings", "too few to tell"],
  ["too_few_questions", "too few to tell"],
  ["too_few_items", "too few candidates"],
  ["all_tied", "all tied"],
])("a number that is missing for %s is said in words", (reason, words) => {
  expect(measureDisplay(worded(reason), w)).toMatchObject({ kind: "words", text: words });
});

test("a reason that the kind has no label for is shown by its name", () => {
  const bare = { ...w, missing: { ...w.missing, reasons: {} } };
  expect(measureDisplay(worded("all_tied"), bare)).toEqual({ kind: "words", text: "all tied", long: "The number is missing: all tied." });
});

test("a batch without answers is too few to tell; one with answers is being computed", () => {
  expect(measureDisplay(makeUnansweredBatch(), w)).toMatchObject({ kind: "words", text: "too few to tell" });
  expect(measureDisplay(makeBatch({ agreement: null }), w)).toMatchObject({ kind: "words", text: "being computed" });
});

test("an outdated number stays and is said to be computed anew", () => {
  const stale = makeBatch({ agreement: makeAgreement({ stale: true }) });
  expect(measureDisplay(stale, w)).toMatchObject({ kind: "value", text: "0.61", range: "being computed" });
});

test("an outdated gap is being computed, whatever the old reason was", () => {
  const none = makeStatistic(null, { reason: "too_few_rankings" });
  const stale = makeBatch({ agreement: makeAgreement({ stale: true, measures: withW(none) }) });
  expect(measureDisplay(stale, w)).toMatchObject({ kind: "words", text: "being computed" });
});

test("a number without an interval says so", () => {
  const one = makeBatch({ agreement: makeAgreement({ measures: withW(makeStatistic(0.4, { n: 1 })) }) });
  expect(measureDisplay(one, w)).toMatchObject({ range: "no interval", long: "Kendall’s W 0.40, no interval, over 1 question" });
});

test("each reason is explained once under the table", () => {
  const bare = makeBatch({ agreement: makeAgreement({ measures: withW(makeStatistic(0.4, { n: 1 })) }) });
  const shown = missingValueReasons([makeUnansweredBatch(), makeUnansweredBatch(), worded("all_tied"), bare, bare, makeBatch()], w);
  expect(shown.map(({ text }) => text)).toEqual(["too few to tell", "all tied", "no interval"]);
});

test("measures that the kind describes come after its own, each once, with their basis", () => {
  const described = { ...w, key: "x.alpha", name: "x.alpha", label: "x", basis: { unit: "rating", intervals: "experts and items" } };
  const dashboard = { ...kind.dashboard, describeMeasure: ({ name }: { name: string }) => (name === "x.alpha" ? described : null) };
  const measures = [makeMeasure("kendall_w", makeStatistic(0.5)), makeMeasure("x.alpha", makeStatistic(0.25)), makeMeasure("other", makeStatistic(0.5))];
  const batch = makeBatch({ agreement: makeAgreement({ measures }) });
  expect(listMeasures(kind.dashboard, [batch])).toEqual(kind.dashboard.measures);
  expect(listMeasures(dashboard, [batch, batch])).toEqual([...kind.dashboard.measures, described]);
  expect(measureDisplay(batch, described)).toMatchObject({ text: "0.25", long: expect.stringContaining("ratings") as string });
});

test("a result is offered only where the server has sent it", () => {
  const names = (...sent: string[]) => {
    const agreement = makeAgreement({ measures: sent.map((name) => makeMeasure(name, makeStatistic(1))) });
    return listMeasures(pairs.dashboard, [makeBatch({ agreement })]).map(({ name }) => name);
  };
  expect(names("same_verdict", "grade_closeness")).toEqual(["same_verdict", "grade_closeness"]);
  expect(names("same_verdict", "grade_closeness", "first_share")).toHaveLength(3);
  expect(listMeasures(pairs.dashboard, [makeUnansweredBatch()])).toHaveLength(2);
});
