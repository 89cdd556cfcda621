import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { renderBoard } from "@/test/answerBoard";
import { emptyAnswer, type WrittenQueryAnswer } from "./answer";
import { kind } from "./index";
import { PRACTICE_ENTITY as ITEM } from "./practice/entity";
import { PracticeQuery } from "./practice/PracticeQuery";
import { QueryBoard } from "./QueryBoard";
import { QueryComparison } from "./QueryComparison";
import { ReadOnlyQuery } from "./ReadOnlyQuery";
import { isOnEntity } from "./shortcuts";

const QUERY = "Which drug blocks the H2 receptor?";

function renderQueryBoard() {
  return renderBoard<WrittenQueryAnswer>({ start: emptyAnswer(), isOnBoard: isOnEntity, board: (props) => <QueryBoard {...props} item={ITEM} /> });
}

it("W writes; the page names what leaks, and nothing can be submitted until it is gone", async () => {
  const board = renderQueryBoard();
  await board.focus();
  await board.user.keyboard("w");
  const field = screen.getByRole("textbox", { name: /^Your query/ });
  expect(field).toHaveFocus();
  await board.user.paste("Is it pepcid-like?");
  expect(screen.getByText("The query contains “Pepcid”. Describe the answer without its names.")).toBeVisible();
  expect(field).toBeInvalid();
  expect(kind.submission(ITEM, board.answer)).toMatchObject({ isIncomplete: true, label: "Remove the name first" });
  await board.user.clear(field);
  expect(kind.submission(ITEM, board.answer)).toMatchObject({ isIncomplete: true, label: "Write a query first" });
  await board.user.paste(QUERY);
  expect(field).not.toBeInvalid();
  expect(kind.submission(ITEM, board.answer)).toMatchObject({ outcome: "written", label: "Submit my query" });
  expect(board.steps.at(-1)).toMatchObject({ kind: "wrote", new: QUERY, isContinued: true });
});

it("Escape leaves the field, and N states that no query is possible, which is submitted without one", async () => {
  const board = renderQueryBoard();
  await board.focus();
  await board.user.keyboard("w");
  await board.user.paste("Is it Famotidine?");
  await board.user.keyboard("{Escape}n");
  expect(screen.getByRole("checkbox", { name: "No query is possible" })).toBeChecked();
  expect(screen.queryByRole("textbox")).not.toBeInTheDocument();
  expect(board.announced).toEqual(["No query is possible."]);
  expect(kind.submission(ITEM, board.answer)).toMatchObject({ outcome: "impossible" });
  expect(kind.forSubmission(board.answer, "impossible")).toEqual({ ...emptyAnswer(), is_impossible: true });
});

it("what can be explored is shown with all names of the answer", () => {
  render(<ReadOnlyQuery item={ITEM} answer={{ ...emptyAnswer(), query: QUERY }} isDemo={false} />);
  for (const text of [QUERY, "Pepcid", "DRUGBANK:DB00927", "It lets the stomach make less acid."]) expect(screen.getByText(text)).toBeVisible();
  expect(screen.getByText(/treats → peptic ulcer/)).toBeVisible();
});

it("the coordinator reads each expert's query", () => {
  const answers = [
    { number: 1, name: "Eve", outcome: "written", payload: { ...emptyAnswer(), query: QUERY } },
    { number: 2, name: "Cleo", outcome: "impossible", payload: { ...emptyAnswer(), is_impossible: true } },
  ];
  render(<QueryComparison item={ITEM} consensus={null} answers={answers} />);
  expect(screen.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual([QUERY, "None is possible"]);
});

it("answers differ by their query, and drafts with the same text are the same", () => {
  const [left, right] = [{ ...emptyAnswer(), query: QUERY }, { ...emptyAnswer(), query: "Other?" }];
  expect(kind.isSame(left, { ...left })).toBe(true);
  expect(kind.isSame(left, right)).toBe(false);
  expect(kind.differences(ITEM, left, right).filter(({ isDifferent }) => isDifferent)).toHaveLength(1);
  expect(kind.summarize(ITEM, left)).toEqual([`Query: ${QUERY}`, "Comment: none"]);
});

it("a practice query is explained once it names nothing", async () => {
  const user = userEvent.setup();
  render(<PracticeQuery />);
  await user.click(screen.getByRole("textbox", { name: "Your query" }));
  await user.paste("Famotidine?");
  expect(screen.queryByRole("button", { name: "Show what to consider" })).not.toBeInTheDocument();
  await user.clear(screen.getByRole("textbox", { name: "Your query" }));
  await user.paste(QUERY);
  await user.click(screen.getByRole("button", { name: "Show what to consider" }));
  expect(screen.getByText(new RegExp(`^You wrote: “${QUERY.replace("?", "\\?")}”`))).toBeVisible();
});
