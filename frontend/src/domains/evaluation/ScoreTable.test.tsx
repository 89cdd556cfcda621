import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ScoreTable, type Scores } from "./ScoreTable";

const metric = { id: "mrr", label: "MRR", unit: "fraction" };
const entry: Scores = { scores: { "mrr all": [0.5, 0.4, 0.6, 60], "mrr few": [0.5, 0.4, 0.6, 20], "mrr several": [0.5, 0.4, 0.6, 40] }, interval_reasons: {}, coverages: { "mrr few": 0.7 } };
const table = <ScoreTable label="Scores" entry={entry} metrics={[metric]} mainMetric="mrr" slices={["all", "several", "few"]} />;

it("states beside n how many of a slice's items have a prediction, where not all have", () => {
  render(table);
  const [, all, , few] = screen.getAllByRole("row");
  expect(all).toHaveTextContent(/60$/);
  expect(few).toHaveTextContent(/20 coverage 70%$/);
});

it("has the items in the order of the board, and is blocks of rows on a phone", () => {
  render(table);
  expect(screen.getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual(["All items", "several", "few"]);
  // The names of its columns, which the style sheet draws before the cells.
  expect(screen.getByRole("table").style.getPropertyValue("--column-2")).toBe('"MRR"');
});

it("states why a score is missing, and how many items count where metrics differ", () => {
  const other = { id: "hits", label: "Hits", unit: "fraction" };
  const scores: Scores = { scores: { "mrr all": [0.5, 0.4, 0.6, 1_060], "hits all": [0.4, 0.3, 0.5, 37], "mrr few": [0.5, 0.4, 0.6, 20] }, interval_reasons: {}, coverages: {} };
  render(<ScoreTable label="Scores" entry={scores} metrics={[other, metric]} mainMetric="mrr" slices={["all", "few"]} />);
  const [, all, few] = screen.getAllByRole("row");
  expect(all).toHaveTextContent(/37 to 1,060$/);
  expect(few).toHaveTextContent(/hidden: too few items ?20$/);
  expect(screen.queryByText("not given")).toBeNull();
});
