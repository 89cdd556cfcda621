import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderBoard, type AnswerBoard } from "@/test/answerBoard";
import { answerDifferences, emptyAnswer, forSubmission, isSameAnswer, submissionOf, summarizeAnswer, type PairAnswer } from "./answer";
import { PairBoard } from "./PairBoard";
import { PairComparison } from "./PairComparison";
import { PRACTICE_PAIR } from "./practice/pair";
import { ReadOnlyPair } from "./ReadOnlyPair";
import { isOnPair } from "./shortcuts";

let board: AnswerBoard<PairAnswer>;

function showBoard(item = PRACTICE_PAIR): void {
  board = renderBoard({ start: emptyAnswer(), isOnBoard: isOnPair, board: (props) => <PairBoard {...props} item={item} /> });
}

const pair = () => screen.getByRole("group", { name: "The two hypotheses and your choice" });
const chosen = () => screen.queryAllByRole("radio", { checked: true }).map((one) => one.getAttribute("aria-label"));

async function openBoard() {
  showBoard();
  await board.focus();
  return board.user;
}

describe("choosing", () => {
  it.each([
    ["1", "a_much", "A is much better"],
    ["2", "a", "A is better"],
    ["3", "tie", "Tie"],
    ["4", "b", "B is better"],
    ["5", "b_much", "B is much better"],
    ["b", "both_bad", "Both bad"],
    ["n", "not_sure", "Not sure"],
  ])("%s is %s", async (key, choice, label) => {
    const user = await openBoard();
    await user.keyboard(key);
    expect(board.answer.choice).toBe(choice);
    expect(chosen()).toEqual([label]);
    expect(board.steps).toEqual([{ kind: "chose", old: null, new: choice }]);
    expect(board.announced).toEqual([`${label}.`]);
  });

  it("marks the better hypothesis, and can be changed but not taken back", async () => {
    const user = await openBoard();
    await user.click(screen.getByRole("radio", { name: "B is much better" }));
    const card = (name: string) => within(screen.getByRole("region", { name: `Hypothesis ${name}` }));
    expect(card("B").getByText("Much better")).toBeInTheDocument();
    await user.click(screen.getByRole("radio", { name: "B is much better" }));
    expect(board.answer.choice).toBe("b_much");
    await user.click(screen.getByRole("radio", { name: "A is better" }));
    expect(card("A").getByText("Better")).toBeInTheDocument();
    expect(card("B").queryByText(/better/i, { selector: "span" })).not.toBeInTheDocument();
  });

  it("is not done by keys in the comment", async () => {
    const user = await openBoard();
    await user.keyboard("c");
    await user.keyboard("b5");
    // The key that opened the field is not prevented here, as the page does.
    expect(board.answer).toMatchObject({ choice: null, comment: expect.stringMatching(/b5$/) as string });
    await user.keyboard("{Escape}");
    expect(pair()).toHaveFocus();
  });
});

describe("the sentence that decided", () => {
  it("is marked by keys, and its mark is removed", async () => {
    const user = await openBoard();
    await user.keyboard("w");
    expect(screen.getByRole("button", { name: "Aspirin is an antibiotic." })).toHaveAttribute("aria-pressed", "false");
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}");
    expect(screen.getByRole("button", { name: "It therefore removes the cause." })).toHaveFocus();
    await user.keyboard("{Enter}");
    expect(board.answer.because).toEqual({ id: "a", sentence: 2 });
    expect(pair()).toHaveFocus();
    expect(screen.getByText("Because: “It therefore removes the cause.” (A)")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: /^Remove the mark/ }));
    expect(board.answer.because).toBeNull();
    expect(board.steps.map(({ kind }) => kind)).toEqual(["because", "because"]);
  });

  it("can be one of the background, which is then shown unfolded", async () => {
    const user = await openBoard();
    await user.keyboard("w{ArrowUp}");
    expect(screen.getByRole("button", { name: "Aspirin is an antibiotic." })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "They also recorded colorectal cancers." }));
    expect(board.answer.because).toEqual({ id: "background", sentence: 1 });
    expect(screen.getByText("Because: “They also recorded colorectal cancers.” (background)")).toBeVisible();
    expect(screen.getByRole("mark")).toHaveTextContent("They also recorded colorectal cancers.");
  });

  it("is left unmarked by Escape", async () => {
    const user = await openBoard();
    await user.keyboard("w{Escape}");
    expect(pair()).toHaveFocus();
    expect(document.querySelector("[data-evidence]")).toBeNull();
    expect(board.steps).toEqual([]);
  });

  it("cannot be marked where no rationale has one", () => {
    const hypotheses = PRACTICE_PAIR.hypotheses.map((one) => ({ ...one, sentences: [] }));
    showBoard({ ...PRACTICE_PAIR, hypotheses, background_sentences: [] });
    expect(screen.queryByRole("button", { name: "Mark what decided" })).not.toBeInTheDocument();
    expect(screen.getAllByText("It has no rationale.")).toHaveLength(2);
  });
});

describe("the answer", () => {
  const because = { id: "b", sentence: 1 } as const;
  const full: PairAnswer = { choice: "b_much", because, comment: "Why." };

  it("is incomplete without a choice", () => {
    expect(submissionOf(emptyAnswer())).toMatchObject({ isIncomplete: true, outcome: "" });
    expect(submissionOf(full)).toMatchObject({ outcome: "b", isAgreement: false });
    expect(submissionOf(full).isIncomplete).toBeUndefined();
  });

  it("is the same only with the same choice, sentence and comment", () => {
    expect(isSameAnswer(full, { ...full, because: { ...because } })).toBe(true);
    for (const changed of [{ choice: "b" as const }, { because: { ...because, sentence: 0 } }, { because: null }, { comment: "" }]) {
      expect(isSameAnswer(full, { ...full, ...changed })).toBe(false);
    }
  });

  it("has a line for each part, and shows what differs", () => {
    expect(summarizeAnswer(PRACTICE_PAIR, full)).toEqual(["Choice: B is much better", "Because: “Aspirin inhibits COX-2.” (B)", "Comment: Why."]);
    const differing = answerDifferences(PRACTICE_PAIR, full, { ...full, choice: "tie", because: null }).filter(({ isDifferent }) => isDifferent);
    expect(differing.map(({ saved }) => saved)).toEqual(["Tie", "none"]);
  });

  it("has no deciding sentence if the expert is not sure", () => {
    expect(forSubmission({ ...full, choice: "not_sure" }, "not_sure").because).toBeNull();
    expect(forSubmission(full, "b")).toEqual(full);
  });

  it("is shown when the study is closed", () => {
    render(<ReadOnlyPair item={PRACTICE_PAIR} answer={full} isDemo={false} />);
    expect(screen.getByText("B is much better")).toBeInTheDocument();
    expect(screen.getByRole("mark")).toHaveTextContent("Aspirin inhibits COX-2.");
    expect(screen.queryByRole("radio")).not.toBeInTheDocument();
  });

  it("stands beside the others' by hypothesis", () => {
    const answers = [
      { number: 1, name: "Eve", outcome: "a", payload: full },
      { number: 2, name: "Cleo", outcome: "b", payload: { ...full, because: null } },
      { number: 3, name: "Theo", outcome: "skipped", payload: emptyAnswer() },
    ];
    render(<PairComparison item={PRACTICE_PAIR} consensus={null} answers={answers} />);
    expect(screen.getByText("2 experts: the second is much better")).toBeInTheDocument();
    const lines = within(screen.getByRole("list", { name: "Each expert’s choice" })).getAllByRole("listitem");
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      "Eve: the second is much better, because of “Aspirin inhibits COX-2.” (second).",
      "Cleo: the second is much better.",
    ]);
  });
});
