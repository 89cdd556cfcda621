import { expect, test } from "vitest";
import type { NoValueReason } from "@/api/contract";
import { agreementOf, measureNamed, reasonsShown } from "./measures";
import { agreement, batch, stat, unanswered } from "./samples";

const w = measureNamed(null);

function worded(reason: NoValueReason) {
  return batch({ agreement: agreement({ kendall_w: stat(null, { reason }) }) });
}

test("an agreement is a number, its interval, and what it rests on", () => {
  expect(agreementOf(batch(), w)).toMatchObject({
    kind: "value",
    text: "0.61",
    range: "0.50 to 0.71",
    long: "Kendall’s W 0.61, 95% interval 0.50 to 0.71, over 9 questions",
    scale: [0, 1],
  });
});

test("each measure has its scale: tau-b goes below zero, top-1 is a share", () => {
  expect(agreementOf(batch(), measureNamed("tau-b"))).toMatchObject({
    text: "−0.25",
    range: "−0.50 to 0.00",
    scale: [-1, 1],
  });
  expect(agreementOf(batch(), measureNamed("top-1"))).toMatchObject({ text: "50%", range: "25% to 75%" });
});

test("an address with an unknown measure shows the first", () => {
  expect(measureNamed("rho").key).toBe("kendall-w");
  expect(measureNamed("top-1").key).toBe("top-1");
});

test.each<[NoValueReason, string]>([
  ["too_few_rankings", "too few to tell"],
  ["too_few_questions", "too few to tell"],
  ["too_few_items", "too few candidates"],
  ["all_tied", "all tied"],
])("a number that is missing for %s is said in words", (reason, words) => {
  expect(agreementOf(worded(reason), w)).toMatchObject({ kind: "words", text: words });
});

test("a batch without answers is too few to tell; one with answers is being computed", () => {
  expect(agreementOf(unanswered(), w)).toMatchObject({ kind: "words", text: "too few to tell" });
  expect(agreementOf(batch({ agreement: null }), w)).toMatchObject({ kind: "words", text: "being computed" });
});

test("an outdated number stays and is said to be computed anew", () => {
  const stale = batch({ agreement: agreement({ stale: true }) });
  expect(agreementOf(stale, w)).toMatchObject({ kind: "value", text: "0.61", range: "being computed" });
});

test("an outdated gap is being computed, whatever the old reason was", () => {
  const none = stat(null, { reason: "too_few_rankings" });
  const stale = batch({ agreement: agreement({ stale: true, kendall_w: none }) });
  expect(agreementOf(stale, w)).toMatchObject({ kind: "words", text: "being computed" });
});

test("a number without an interval says so", () => {
  const one = batch({ agreement: agreement({ kendall_w: stat(0.4, { n: 1 }) }) });
  expect(agreementOf(one, w)).toMatchObject({
    range: "no interval",
    long: "Kendall’s W 0.40, no interval, over 1 question",
  });
});

test("each reason is explained once under the table", () => {
  const bare = batch({ agreement: agreement({ kendall_w: stat(0.4, { n: 1 }) }) });
  const shown = reasonsShown([unanswered(), unanswered(), worded("all_tied"), bare, bare, batch()], w);
  expect(shown.map(({ text }) => text)).toEqual(["too few to tell", "all tied", "no interval"]);
});
