import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import type { SetStatistics } from "./api";
import { makeQuestionRow, makeQuestionSet } from "./fixtures";
import { QuestionSetsPage } from "./QuestionSetsPage";
import { groupSizes } from "./sizeGroups";

const STATISTICS: SetStatistics = {
  questions: 4, with_several_answers: 3, mean_answers: 7, mean_words: 3.5, shannon_entropy: 2.6645, type_token_ratio: 0.5714,
  words: [{ size: 3, questions: 3 }, { size: 5, questions: 1 }],
  answers: [{ size: 1, questions: 1 }, { size: 100, questions: 3 }],
};

describe("the statistics of a set", () => {
  it("are read once opened, and each chart has its sentence and its table", async () => {
    const requests = mockServer(({ path }) => {
      if (path.endsWith("/statistics")) return jsonResponse(STATISTICS);
      return jsonResponse({ next: null, matching: 1, results: path.endsWith("/question-sets") ? [makeQuestionSet()] : [makeQuestionRow(1)] });
    });
    renderRoute([{ path: "workbench", Component: QuestionSetsPage }], "/workbench");
    const summary = await screen.findByText("Statistics of the questions");
    expect(requests.some(({ path }) => path.endsWith("/statistics"))).toBe(false);
    await userEvent.click(summary);
    expect((await screen.findByText("Shannon entropy")).parentElement).toHaveTextContent("2.66 bits");
    expect(screen.getByText("Type-token ratio").parentElement).toHaveTextContent("0.571");
    expect(screen.getByText(/From 3 to 5 words; most often 3, in 3 of 4 questions\./)).toBeInTheDocument();
    const words = screen.getByRole("table", { name: "Questions by their number of words" });
    expect(within(words).getAllByRole("row").slice(1).map((row) => row.textContent)).toEqual(["3375%", "400%", "5125%"]);
    expect(screen.getByRole("table", { name: "Questions by their number of answers" })).toHaveTextContent("1 to 9125%");
  });
});

describe("spans of sizes", () => {
  it("are at most twelve of equal width, and lose no question", () => {
    const sizes = [1, 2, 3, 50, 99].map((size) => ({ size, questions: size }));
    const groups = groupSizes(sizes);
    expect(groups).toHaveLength(11);
    expect(groups[0]).toEqual({ name: "1 to 9", low: 1, high: 9, questions: 6 });
    expect(groups.at(-1)).toEqual({ name: "91 to 99", low: 91, high: 99, questions: 99 });
    expect(groups.reduce((sum, { questions }) => sum + questions, 0)).toBe(155);
  });

  it("are the sizes themselves where there are few, and none without questions", () => {
    expect(groupSizes([{ size: 4, questions: 2 }, { size: 6, questions: 1 }]).map(({ name, questions }) => [name, questions])).toEqual([["4", 2], ["5", 0], ["6", 1]]);
    expect(groupSizes([])).toEqual([]);
  });
});
