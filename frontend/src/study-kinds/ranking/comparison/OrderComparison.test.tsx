import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import type { RankingAnswer, RankingItem } from "../answer";
import type { Ranking } from "../board/rankingModel";
import { OrderComparison } from "./OrderComparison";
import { candidateSlopes, comparisonSentences, orderColumns } from "./slopes";

const PRIOR: Ranking = [["Zinc"], ["NADH"], ["Calcium"]];

const item = {
  id: "q",
  file_id: "0",
  number: 1,
  text: "Which?",
  category: "",
  resources: [],
  candidates: ["Zinc", "NADH", "Calcium"].map((name, at) => ({ id: name, name, link: "", prior_rank: at + 1 })),
  prior: PRIOR,
} satisfies RankingItem;

function answer(number: number, name: string, ranking: Ranking, outcome = "changed") {
  const payload: RankingAnswer = { ranking, confidence: null, reasons: [], comment: "", unsure_reason: "" };
  return { number, name, outcome, payload };
}

const ANSWERS = [
  answer(1, "Eve", PRIOR, "confirmed"),
  answer(2, "Cleo", [["Calcium"], ["Zinc", "NADH"]]),
  answer(3, "Theo", PRIOR, "not_sure"),
];
const CONSENSUS = [["Zinc"], ["Calcium", "NADH"]];

test("the prior order and those of the experts are columns; who is not sure gave none", () => {
  expect(orderColumns({ item, answers: ANSWERS }).map(({ head, name }) => [head, name])).toEqual([["prior", "prior"], ["1", "Eve"], ["2", "Cleo"]]);
});

test("a tie stands in the middle of its places, and its rank is marked", () => {
  const slopes = candidateSlopes({ item, consensus: CONSENSUS }, orderColumns({ item, answers: ANSWERS }));
  expect(slopes.map(({ id, places, ranks }) => [id, places, ranks])).toEqual([
    ["Zinc", [1, 1, 2.5], ["1", "1", "2="]],
    ["Calcium", [3, 3, 1], ["3", "3", "1"]],
    ["NADH", [2, 2, 2.5], ["2", "2", "2="]],
  ]);
});

function sentences(answers: typeof ANSWERS): string[] {
  const columns = orderColumns({ item, answers });
  return comparisonSentences(columns, candidateSlopes({ item, consensus: null }, columns));
}

test("sentences name who is put first and what is furthest apart", () => {
  expect(sentences(ANSWERS)).toEqual([
    "Put first: Zinc by 1 expert and Calcium by 1 expert.",
    "Furthest apart: Calcium, between place 1 and 3.",
  ]);
  expect(sentences(ANSWERS.slice(0, 1))).toEqual(["Put first: Zinc by 1 expert."]);
  expect(sentences([answer(1, "Eve", PRIOR), answer(2, "Cleo", PRIOR)])).toContain("All orders are the same.");
  expect(sentences(ANSWERS.slice(2))).toEqual(["No expert has given an order yet."]);
});

test("the lines have a table of the same ranks, and a candidate is marked by its name", async () => {
  render(<OrderComparison item={item} consensus={CONSENSUS} answers={ANSWERS} />);
  const table = screen.getByRole("table", { name: "Rank of each candidate in each order" });
  expect(within(table).getAllByRole("row").map((row) => row.textContent)).toEqual([
    "CandidatepriorEveCleo", "Zinc112=", "Calcium331", "NADH222=",
  ]);
  const calcium = screen.getByRole("button", { name: "Calcium" });
  expect(calcium).toHaveAttribute("aria-pressed", "false");
  await userEvent.click(calcium);
  expect(calcium).toHaveAttribute("aria-pressed", "true");
  expect(screen.getByRole("button", { name: "Zinc" })).toHaveAttribute("aria-pressed", "false");
});

describe("a question without a prior", () => {
  const { prior: _prior, candidates, ...rest } = item;
  const bare: RankingItem = { ...rest, candidates: candidates.map(({ prior_rank: _rank, ...one }) => one) };
  const ranked = [answer(1, "Eve", [["NADH"], ["Zinc"], ["Calcium"]], "ranked"), answer(2, "Cleo", [["Calcium"], ["Zinc", "NADH"]], "ranked")];

  test("has the orders of the experts as columns, and none beside them", () => {
    const columns = orderColumns({ item: bare, answers: ranked });
    expect(columns.map(({ name }) => name)).toEqual(["Eve", "Cleo"]);
    expect(comparisonSentences(columns, candidateSlopes({ item: bare, consensus: null }, columns))).toEqual([
      "Put first: NADH by 1 expert and Calcium by 1 expert.",
      "Furthest apart: Calcium, between place 1 and 3.",
    ]);
    expect(comparisonSentences([], [])).toEqual(["No expert has given an order yet."]);
  });

  test("lists the candidates as they came while there is no common order", () => {
    render(<OrderComparison item={bare} consensus={null} answers={ranked} />);
    const names = within(screen.getByRole("list", { name: "Candidates" })).getAllByRole("button");
    expect(names.map(({ textContent }) => textContent)).toEqual(["Zinc", "NADH", "Calcium"]);
    expect(document.body.textContent).not.toContain("prior");
  });

  test("shows the prior of the complete item beside answers of experts who did not see it", () => {
    expect(orderColumns({ item, answers: ranked }).map(({ head }) => head)).toEqual(["prior", "1", "2"]);
  });
});
