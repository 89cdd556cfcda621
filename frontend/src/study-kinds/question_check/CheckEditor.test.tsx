import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Payload } from "@/api/contract";
import { isOnScales } from "@/domains/studies/scales/scaleShortcuts";
import { renderBoard } from "@/test/answerBoard";
import { emptyAnswer, isSameAnswer, type QuestionCheckAnswer } from "./answer";
import { CheckBoard } from "./CheckBoard";
import { CheckComparison } from "./CheckComparison";
import { kind } from "./index";
import { PRACTICE_ITEM as ITEM } from "./practice/item";
import { PracticeCheck } from "./practice/PracticeCheck";
import { ReadOnlyCheck } from "./ReadOnlyCheck";

const BETTER = "Which drugs that block the histamine H2 receptor treat peptic ulcers?";
const full: QuestionCheckAnswer = {
  levels: { Grammar: 2, Clarity: 1, "Biological relevance": 5 },
  unsure: {},
  comment: "",
  correction: BETTER,
};

it("shows the pattern and the answers, and W opens the wording, which starts from the original", async () => {
  const board = renderBoard<QuestionCheckAnswer>({ start: emptyAnswer(ITEM), isOnBoard: isOnScales, board: (props) => <CheckBoard {...props} item={ITEM} /> });
  const { user } = board;
  await board.focus();
  expect(screen.getByText(/MATCH/)).toBeVisible();
  expect(screen.getByText("Cimetidine, Famotidine")).toBeVisible();
  await user.keyboard("w");
  const field = screen.getByRole("textbox", { name: "Your wording" });
  expect(field).toHaveFocus();
  expect(field).toHaveValue(ITEM.text);
  await user.click(field);
  await user.paste(" Or not?");
  expect(board.answer.correction).toBe(`${ITEM.text} Or not?`);
  expect(board.steps.at(-1)).toMatchObject({ kind: "corrected", old: "", isContinued: true });
  await user.click(screen.getByRole("button", { name: "Back to the original wording" }));
  expect(board.answer.correction).toBe("");
  expect(field).toHaveValue(ITEM.text);
  await user.clear(field);
  expect(board.answer.correction).toBe("");
});

it("an answer differs by its wording, which is shown, copied and compared", () => {
  expect(isSameAnswer(full, { ...full, correction: "" })).toBe(false);
  const differing = kind.differences(ITEM, full, { ...full, correction: "" }).filter(({ isDifferent }) => isDifferent);
  expect(differing).toEqual([{ label: "Corrected wording", local: BETTER, saved: "none", isDifferent: true }]);
  expect(kind.summarize(ITEM, full satisfies Payload)).toContain(`Corrected wording: ${BETTER}`);
  render(<ReadOnlyCheck item={ITEM} answer={full} isDemo={false} />);
  expect(screen.getByText(BETTER)).toBeVisible();
});

it("the coordinator reads each wording with its rater beside the original", () => {
  const answers = [
    { number: 1, name: "Eve", outcome: "rated", payload: full },
    { number: 2, name: "Cleo", outcome: "rated", payload: { ...full, correction: "" } },
  ];
  render(<CheckComparison item={ITEM} consensus={null} answers={answers} />);
  const terms = screen.getAllByRole("term").map(({ textContent }) => textContent);
  expect(terms).toEqual(["Original", "Eve"]);
  expect(screen.getByText(BETTER)).toBeVisible();
});

it("a practice question is explained once all scales are rated", async () => {
  const user = userEvent.setup();
  render(<PracticeCheck />);
  for (const name of ["Grammar", "Clarity", "Biological relevance"]) {
    const scale = within(screen.getByRole("group", { name: new RegExp(`^${name}`) }));
    await user.click(scale.getByRole("radio", { name: "3" }));
  }
  await user.click(screen.getByRole("button", { name: "Show what to consider" }));
  expect(screen.getByText(/^Grammar: 3 of 5; Clarity: 3 of 5; Biological relevance: 3 of 5\./)).toBeVisible();
  expect(screen.getAllByRole("link")).toHaveLength(2);
});
