import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderBoard, type AnswerBoard } from "@/test/answerBoard";
import { answerDifferences, emptyAnswer, forSubmission, isSameAnswer, submissionOf, summarizeAnswer, type ClaimAnswer } from "./answer";
import { ClaimBoard } from "./ClaimBoard";
import { ClaimComparison } from "./ClaimComparison";
import { PRACTICE_CLAIM } from "./practice/claim";
import { ReadOnlyClaim } from "./ReadOnlyClaim";
import { isOnClaim } from "./shortcuts";

const EDGE = { document: null, number: 0 };
const SENTENCE = { document: "lind-1753", number: 1 };

let board: AnswerBoard<ClaimAnswer>;

function showBoard(item = PRACTICE_CLAIM): void {
  board = renderBoard({ start: emptyAnswer(), isOnBoard: isOnClaim, board: (props) => <ClaimBoard {...props} item={item} /> });
}

const claim = () => screen.getByRole("group", { name: "The evidence and your verdict" });
const passages = () => within(claim()).getAllByRole("button").filter((one) => one.hasAttribute("data-evidence"));

async function openBoard() {
  showBoard();
  await board.focus();
  return board.user;
}

describe("choosing a verdict", () => {
  it.each([
    ["1", "supported", "Supported"],
    ["2", "contradicted", "Contradicted"],
    ["3", "not_enough", "Not enough evidence"],
    ["n", "not_sure", "Not sure"],
  ])("%s is %s", async (key, verdict, label) => {
    const user = await openBoard();
    await user.keyboard(key);
    expect(board.answer.verdict).toBe(verdict);
    expect(screen.getByRole("radio", { checked: true })).toHaveAccessibleName(label);
    expect(board.steps).toEqual([{ kind: "chose", old: null, new: verdict }]);
    expect(board.announced).toEqual([`${label}.`]);
  });

  it("shows that a mark is missing until there is one", async () => {
    const user = await openBoard();
    expect(screen.getByRole("status")).toBeEmptyDOMElement();
    await user.keyboard("1");
    expect(screen.getByRole("status")).toHaveTextContent("Mark the sentence or edge that decides.");
    await user.keyboard("j{Enter}");
    expect(screen.getByRole("status")).toBeEmptyDOMElement();
  });

  it("is not done by keys in the comment", async () => {
    const user = await openBoard();
    await user.keyboard("c");
    await user.keyboard("1n");
    expect(board.answer).toMatchObject({ verdict: null, comment: "1n" });
    await user.keyboard("{Escape}");
    expect(claim()).toHaveFocus();
  });
});

describe("marking what decides", () => {
  it("moves among sentences and edges by J and K, and by arrows", async () => {
    const user = await openBoard();
    await user.keyboard("j");
    expect(passages()[0]).toHaveFocus();
    await user.keyboard("jj{ArrowDown}");
    expect(passages()[3]).toHaveFocus();
    await user.keyboard("k{ArrowUp}");
    expect(passages()[1]).toHaveFocus();
    await user.keyboard("kkk");
    expect(passages()[0]).toHaveFocus();
  });

  it("marks several by Space and Enter, and takes a mark away", async () => {
    const user = await openBoard();
    await user.keyboard("jj[Space]jj{Enter}");
    expect(board.answer.because).toEqual([SENTENCE, EDGE]);
    expect(passages().map((one) => one.getAttribute("aria-pressed"))).toEqual(["false", "true", "false", "true", "false"]);
    await user.keyboard("{Enter}");
    expect(board.answer.because).toEqual([SENTENCE]);
    expect(board.announced).toEqual(["Marked.", "Marked.", "Mark removed."]);
    expect(board.steps.at(-1)).toEqual({ kind: "because", old: [SENTENCE, EDGE], new: [SENTENCE] });
  });

  it("has nothing to mark where no evidence was found", async () => {
    showBoard({ ...PRACTICE_CLAIM, documents: [], edges: [], is_because_required: false });
    expect(screen.getByText("No document or edge was found for this claim.")).toBeInTheDocument();
    await board.focus();
    await board.user.keyboard("j1");
    expect(submissionOf({ ...PRACTICE_CLAIM, is_because_required: false }, board.answer).isIncomplete).toBeUndefined();
  });

  it("links to a source on the web only", () => {
    const [document] = PRACTICE_CLAIM.documents;
    if (!document) throw new Error("no document");
    showBoard({ ...PRACTICE_CLAIM, documents: [document, { ...document, id: "2", source: "javascript:alert(1)" }] });
    expect(screen.getAllByRole("link")).toHaveLength(1);
    expect(screen.getByText(/javascript:alert/)).toBeInTheDocument();
  });
});

describe("the answer", () => {
  const full: ClaimAnswer = { verdict: "supported", because: [EDGE, SENTENCE], comment: "Why." };

  it("needs a verdict, and a mark where it decides", () => {
    const labelOf = (changes: Partial<ClaimAnswer>, item = PRACTICE_CLAIM) => submissionOf(item, { ...emptyAnswer(), ...changes });
    expect(labelOf({})).toMatchObject({ label: "Choose first", isIncomplete: true });
    expect(labelOf({ verdict: "contradicted" })).toMatchObject({ label: "Mark what decides", isIncomplete: true });
    for (const ready of [labelOf({ verdict: "not_enough" }), labelOf({ verdict: "not_sure" }), labelOf(full)]) {
      expect(ready.isIncomplete).toBeUndefined();
      expect(ready.label).toBe("Submit my verdict");
    }
    expect(labelOf({ verdict: "supported" }, { ...PRACTICE_CLAIM, is_because_required: false }).outcome).toBe("supported");
  });

  it("is the same whatever the order of its marks", () => {
    expect(isSameAnswer(full, { ...full, because: [SENTENCE, EDGE] })).toBe(true);
    for (const other of [{ because: [EDGE] }, { verdict: "not_sure" as const }, { comment: "" }, { because: [EDGE, { ...SENTENCE, number: 2 }] }]) {
      expect(isSameAnswer(full, { ...full, ...other })).toBe(false);
    }
  });

  it("has a line for each part, and shows what differs", () => {
    expect(summarizeAnswer(PRACTICE_CLAIM, full)).toEqual([
      "Verdict: Supported",
      "Because: “Vitamin C – treats → Scurvy”, “Two of them ate oranges and lemons.”",
      "Comment: Why.",
    ]);
    const differing = answerDifferences(PRACTICE_CLAIM, full, { ...full, verdict: "not_sure", because: [] }).filter(({ isDifferent }) => isDifferent);
    expect(differing.map(({ saved }) => saved)).toEqual(["Not sure", "none"]);
  });

  it("has no mark if the expert is not sure", () => {
    expect(forSubmission(full, "not_sure").because).toEqual([]);
    expect(forSubmission(full, "supported")).toEqual(full);
  });

  it("is shown as it was submitted", () => {
    render(<ReadOnlyClaim item={PRACTICE_CLAIM} answer={full} isDemo={false} />);
    expect(screen.queryByRole("button")).not.toBeInTheDocument();
    expect(screen.getAllByText("This decided:")).toHaveLength(2);
    expect(screen.getByText("Supported")).toBeInTheDocument();
    expect(screen.getByText("Why.")).toBeInTheDocument();
  });

  it("is compared with those of the other experts", () => {
    const answers = [full, { ...emptyAnswer(), verdict: "not_enough" as const }, { ...full, because: [EDGE] }, emptyAnswer()].map((payload, at) => ({
      number: at + 1,
      name: `Expert ${at + 1}`,
      outcome: payload.verdict ?? "",
      payload,
    }));
    render(<ClaimComparison item={PRACTICE_CLAIM} consensus="supported" answers={answers} />);
    const textsOf = (name: string) => within(screen.getByRole("list", { name })).getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(textsOf("Answers by verdict")).toEqual(["2 experts: supported", "1 expert: not enough evidence"]);
    expect(textsOf("What decided")).toEqual([
      "Marked by 2 experts: “Vitamin C – treats → Scurvy”",
      "Marked by 1 expert: “Two of them ate oranges and lemons.”",
    ]);
    expect(textsOf("Each expert’s verdict")[1]).toBe("Expert 2: not enough evidence.");
  });
});
