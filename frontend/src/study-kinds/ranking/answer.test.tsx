import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { findStudyKind } from "@/study-kinds/registry";
import { questionState } from "@/domains/studies/questionState";
import { answerDifferences, emptyAnswer, isSameAnswer, submissionInfo, summarizeAnswer, type RankingItem } from "./answer";
import { Instructions } from "./Instructions";
import { ReadOnlyAnswer } from "./ReadOnlyAnswer";

const common = { id: "q", file_id: "0", number: 1, text: "Which?", category: "", resources: [] };
const names = ["Zinc", "NADH", "Calcium"];
const hidden: RankingItem = { ...common, candidates: names.map((name) => ({ id: name, name, link: "" })) };
const shown: RankingItem = {
  ...common,
  candidates: names.map((name, at) => ({ id: name, name, link: "", prior_rank: at + 1 })),
  prior: [["NADH", "Zinc"], ["Calcium"]],
};
const ordered = (item: RankingItem, ...ranking: string[][]) => submissionInfo(item, { ...emptyAnswer(item), ranking });

test("an empty answer has the prior, or each candidate alone in the order in which they came", () => {
  expect(emptyAnswer(shown).ranking).toEqual([["NADH", "Zinc"], ["Calcium"]]);
  expect(emptyAnswer(hidden).ranking).toEqual([["Zinc"], ["NADH"], ["Calcium"]]);
});

test("without a prior every order is submitted as ranked, one that was not changed as a confirmed one", () => {
  const confirmed = { outcome: "ranked", label: "This is my order", step: "submitted", isAgreement: true };
  const changed = { outcome: "ranked", label: "Submit my order", step: "submitted", isAgreement: false };
  expect(ordered(hidden, ["Zinc"], ["NADH"], ["Calcium"])).toEqual(confirmed);
  expect(ordered(hidden, ["Zinc", "NADH"], ["Calcium"])).toEqual(changed);
  expect(ordered(hidden, ["Calcium"], ["Zinc"], ["NADH"])).toEqual(changed);
});

test("with a prior, also of a batch that was stored before there were others, the order agrees or differs", () => {
  expect(ordered(shown, ["Zinc", "NADH"], ["Calcium"])).toMatchObject({ outcome: "confirmed", label: "I agree with this order", step: "agreed" });
  expect(ordered(shown, ["Zinc"], ["NADH"], ["Calcium"])).toMatchObject({ outcome: "changed", label: "Submit my order", isAgreement: false });
});

test("an answer that is ranked has its own word and shape in lists", () => {
  const kind = findStudyKind("ranking");
  if (!kind) throw new Error("There is no kind 'ranking'.");
  const { label, tone, Icon } = questionState(kind, "submitted", "ranked");
  expect([label, tone]).toEqual(["ranked", "good"]);
  expect(kind.outcomes.filter(({ icon }) => icon === Icon)).toHaveLength(1);
});

test("an answer that is only read has no word about a prior where there is none", () => {
  const { rerender } = render(<ReadOnlyAnswer item={shown} answer={emptyAnswer(shown)} isDemo={false} />);
  expect(screen.getAllByText(/^model’s/)).toHaveLength(3);
  rerender(<ReadOnlyAnswer item={hidden} answer={emptyAnswer(hidden)} isDemo={false} />);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["1Zinc", "2NADH", "3Calcium"]);
});

test("marks have no order, an answer without them stays the same, and links are shown by name", () => {
  const item = { ...shown, resources: [{ name: "A gene", link: "https://example.org" }] };
  const link = { type: "resource", number: 0 } as const;
  const path = { type: "path", candidate: "Zinc", edges: [4], step: 0, paper: "", text: "Cold is treated by Zinc" } as const;
  const marked = { ...emptyAnswer(item), because: [link, { ...path, edges: [4] }] };
  expect(isSameAnswer(marked, { ...marked, because: [{ ...path, edges: [4], text: "" }, link] })).toBe(true);
  expect(isSameAnswer(marked, { ...marked, because: [link] })).toBe(false);
  expect(isSameAnswer(emptyAnswer(item), { ...emptyAnswer(item), because: [] })).toBe(true);
  const differing = answerDifferences(item, marked, emptyAnswer(item)).filter(({ isDifferent }) => isDifferent);
  expect(differing).toEqual([{ label: "Because", local: "“A gene”, “Cold is treated by Zinc”", saved: "none", isDifferent: true }]);
  expect(summarizeAnswer(item, marked)).toContain("Because: “A gene”, “Cold is treated by Zinc”");
  render(<ReadOnlyAnswer item={item} answer={marked} isDemo={false} />);
  expect(screen.getByText("“A gene”, “Cold is treated by Zinc”")).toBeVisible();
});

test.each([[true, "an order made up for this demo"], [false, "an order that language models gave"]])("the instructions fit both arms (demo: %s)", (isDemo, order) => {
  render(<Instructions isDemo={isDemo} />);
  expect(screen.getByText(new RegExp(`You may start from ${order}, or from an arbitrary one`))).toBeVisible();
  expect(screen.getByText("This is my order")).toBeVisible();
});
