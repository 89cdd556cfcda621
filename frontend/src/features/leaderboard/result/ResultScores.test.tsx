import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { BoardRow, Result } from "@/domains/evaluation/queries";
import { ResultScores } from "./ResultScores";

const metric = { id: "mrr", label: "MRR", unit: "fraction", direction: "higher", description: "" };
const result = { metrics: [metric], main_metric: "mrr" } as Result;
const entry = { rank: { best: 1, worst: 2 }, coverage: 0.9, scores: { "mrr all": [0.5, 0.4, 0.6, 60], "mrr few": [0.5, 0.4, 0.6, 20] }, interval_reasons: {}, coverages: { "mrr few": 0.7 } } as unknown as BoardRow;

it("states beside n how many of a slice's items have a prediction, where not all have", () => {
  render(<ResultScores result={result} entry={entry} />);
  const [, all, few] = screen.getAllByRole("row");
  expect(all).toHaveTextContent(/60$/);
  expect(few).toHaveTextContent(/20 coverage 70%$/);
});
