import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Measure } from "@/api/contract";
import { ScaleBoard } from "@/domains/studies/scales/ScaleBoard";
import { ScaleComparison } from "@/domains/studies/scales/ScaleComparison";
import { answerDifferences, emptyAnswer, isSameAnswer, submissionOf, summarizeAnswer, unsureDetail } from "@/domains/studies/scales/scaledAnswer";
import { isOnScales } from "@/domains/studies/scales/scaleShortcuts";
import { renderBoard, type AnswerBoard } from "@/test/answerBoard";
import type { RatingsAnswer } from "./answer";
import { kind } from "./index";
import { PRACTICE_ITEM } from "./practice/item";
import { PracticeRatings } from "./practice/PracticeRatings";
import { ReadOnlyRatings } from "./ReadOnlyRatings";

const ITEM = {
  ...PRACTICE_ITEM,
  scales: [...PRACTICE_ITEM.scales, { name: "Diversity", question: "Does it differ from others?", low: "No", high: "Yes" }],
};
const NONE = { Naturalness: null, Practicality: null, Diversity: null };

let board: AnswerBoard<RatingsAnswer>;

const scale = (name: string) => screen.getByRole("group", { name: new RegExp(`^${name}`) });

async function openBoard() {
  board = renderBoard<RatingsAnswer>({
    start: emptyAnswer(ITEM),
    isOnBoard: isOnScales,
    board: (props) => <ScaleBoard {...props} item={ITEM}>{ITEM.details}</ScaleBoard>,
  });
  await board.focus();
  return board.user;
}

describe("rating by keys", () => {
  it("rates the scale with the focus and goes to the next, up to the last", async () => {
    const user = await openBoard();
    expect(scale("Naturalness")).toHaveFocus();
    await user.keyboard("52");
    expect(scale("Diversity")).toHaveFocus();
    await user.keyboard("31");
    expect(board.answer.levels).toEqual({ Naturalness: 5, Practicality: 2, Diversity: 1 });
    expect(scale("Diversity")).toHaveFocus();
    expect(board.steps.at(-1)).toEqual({ kind: "rated", old: { Diversity: 3 }, new: { Diversity: 1 } });
    expect(board.announced.slice(0, 2)).toEqual(["Naturalness: 5.", "Practicality: 2."]);
  });

  it("moves among the scales with arrows, and stops at the ends", async () => {
    const user = await openBoard();
    await user.keyboard("{ArrowUp}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}4");
    expect(board.answer.levels).toEqual({ ...NONE, Practicality: 4 });
  });

  it("is not sure with a reason, which a level replaces", async () => {
    const user = await openBoard();
    await user.keyboard("n");
    expect(screen.getByRole("button", { name: "Outside my field" })).toHaveFocus();
    await user.keyboard("5");
    expect(board.answer).toEqual(emptyAnswer(ITEM));
    await user.keyboard("2");
    expect(board.answer.unsure).toEqual({ Naturalness: "text_unclear" });
    expect(scale("Practicality")).toHaveFocus();
    await user.keyboard("{ArrowUp}3");
    expect(board.answer).toMatchObject({ unsure: {}, levels: { Naturalness: 3 } });
  });

  it("closes the reasons with Escape and keeps what was rated", async () => {
    const user = await openBoard();
    await user.keyboard("4{ArrowUp}n{Escape}");
    expect(screen.queryByRole("list", { name: "Why are you not sure?" })).not.toBeInTheDocument();
    expect(scale("Naturalness")).toHaveFocus();
    expect(board.answer).toMatchObject({ unsure: {}, levels: { Naturalness: 4 } });
  });

  it("is not done by keys in the comment", async () => {
    const user = await openBoard();
    await user.keyboard("c");
    await user.keyboard("n5");
    expect(board.answer.levels).toEqual(NONE);
    expect(board.answer.comment).toMatch(/n5$/);
    await user.keyboard("{Escape}");
    expect(scale("Naturalness")).toHaveFocus();
  });
});

describe("rating by mouse or touch", () => {
  it("stays on the scale, on which keys act then", async () => {
    const user = await openBoard();
    await user.click(within(scale("Practicality")).getByRole("radio", { name: "4" }));
    await user.click(within(scale("Diversity")).getByRole("radio", { name: "5, Yes" }));
    expect(board.answer.levels).toEqual({ ...NONE, Practicality: 4, Diversity: 5 });
    await user.keyboard("2");
    expect(board.answer.levels.Diversity).toBe(2);
    await user.click(within(scale("Practicality")).getByRole("button", { name: "Not sure" }));
    await user.click(screen.getByRole("button", { name: "Another reason" }));
    expect(board.answer).toMatchObject({ levels: { Practicality: null }, unsure: { Practicality: "other" } });
    expect(within(scale("Practicality")).queryByRole("radio", { checked: true })).not.toBeInTheDocument();
  });
});

describe("the answer", () => {
  const full: RatingsAnswer = { levels: { ...NONE, Naturalness: 5, Diversity: 1 }, unsure: { Practicality: "other" }, comment: "Why." };
  const unsure: RatingsAnswer = { levels: NONE, unsure: { Naturalness: "other", Practicality: "other", Diversity: "text_unclear" }, comment: "" };

  it("is submitted once every scale has a level or a reason", () => {
    expect(submissionOf(ITEM, emptyAnswer(ITEM))).toMatchObject({ isIncomplete: true, label: "3 of 3 to rate" });
    expect(submissionOf(ITEM, { ...full, unsure: {} })).toMatchObject({ isIncomplete: true, label: "1 of 3 to rate" });
    expect(kind.submission(ITEM, full)).toEqual({ step: "submitted", isAgreement: false, outcome: "rated", label: "Submit my ratings" });
    expect(submissionOf(ITEM, unsure)).toMatchObject({ outcome: "not_sure" });
    expect(unsureDetail(unsure, "not_sure")).toBe("another reason and the text is unclear");
    expect(unsureDetail(full, "rated")).toBe("");
  });

  it("is the same only with the same levels, reasons and comment", () => {
    const reordered = Object.fromEntries(Object.entries(full.levels).toReversed());
    expect(isSameAnswer(full, { ...full, levels: reordered })).toBe(true);
    for (const changed of [{ levels: { ...full.levels, Diversity: 2 as const } }, { unsure: {} }, { comment: "" }]) {
      expect(isSameAnswer(full, { ...full, ...changed })).toBe(false);
    }
  });

  it("has a line for each scale, and shows what differs", () => {
    expect(summarizeAnswer(ITEM, full)).toEqual(["Naturalness: 5 of 5", "Practicality: not sure: another reason", "Diversity: 1 of 5", "Comment: Why."]);
    const differing = answerDifferences(ITEM, full, unsure).filter(({ isDifferent }) => isDifferent);
    expect(differing.map(({ saved }) => saved)).toEqual(["not sure: another reason", "not sure: the text is unclear", "none"]);
  });

  it("is shown when the study is closed", () => {
    render(<ReadOnlyRatings item={ITEM} answer={full} isDemo={false} />);
    expect(screen.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual(["5 of 5", "not sure: another reason", "1 of 5", "Why."]);
    expect(screen.queryByRole("radio")).not.toBeInTheDocument();
  });

  it("stands beside the others' by scale", () => {
    const answers = [
      { number: 1, name: "Eve", outcome: "rated", payload: full },
      { number: 2, name: "Cleo", outcome: "not_sure", payload: unsure },
    ];
    render(<ScaleComparison item={ITEM} consensus={null} answers={answers} />);
    expect(screen.getByRole("row", { name: /^Naturalness/ })).toHaveTextContent("0, 0, 1 (5 by 1 expert)Eve 5 of 5; Cleo not sure: another reason");
    expect(screen.getByRole("row", { name: /^Practicality/ })).toHaveTextContent("no level");
  });
});

describe("the dashboard", () => {
  const measure = (name: string): Measure => ({ name, label: "", value: 1, low: null, high: null, n: 1, reason: null, interval_reason: null });

  it("describes the measures of a scale by its name", () => {
    expect(kind.dashboard.describeMeasure?.(measure("v1.0 clarity.alpha"))).toMatchObject({ key: "v1.0 clarity.alpha", label: "v1.0 clarity, alpha", scale: [-1, 1] });
    expect(kind.dashboard.describeMeasure?.(measure("clarity.mode"))).toBeNull();
    expect(kind.dashboard.describeMeasure?.(measure("alpha"))).toBeNull();
  });

  it("names the median of each scale that was rated", () => {
    expect(kind.dashboard.questions?.consensusText(ITEM, { Diversity: 3.5, Naturalness: 4 })).toBe("Naturalness 4, Diversity 3.5");
    expect(kind.dashboard.questions?.consensusText(ITEM, null)).toBe("");
  });
});

it("a practice text shows its sources once both scales are rated", async () => {
  const user = userEvent.setup();
  render(<PracticeRatings />);
  await user.click(within(scale("Naturalness")).getByRole("radio", { name: "4" }));
  expect(screen.queryByRole("button", { name: "Show what to consider" })).not.toBeInTheDocument();
  await user.click(within(scale("Practicality")).getByRole("radio", { name: "3" }));
  await user.click(screen.getByRole("button", { name: "Show what to consider" }));
  expect(screen.getByText(/^Naturalness: 4 of 5; Practicality: 3 of 5\./)).toBeInTheDocument();
  expect(screen.getAllByRole("link")).toHaveLength(2);
});
