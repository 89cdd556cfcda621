import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { BoardRow, Result } from "@/domains/evaluation/queries";
import { ResultDetails } from "./ResultDetails";

const entry = { provenance: "evaluated", submitted_at: "2026-01-01T00:00:00Z", coverage: 1, cost_usd: null, latency_s: null, sample: null, query: null } as BoardRow;
const result = { hardware: null, method: null, notes: null, tool_calls: null, key: null } as Result;

it("shows how an entry was made as plain text, beside its notes", () => {
  const method = "<b>Prompt</b>: five examples.\nGreedy decoding.";
  const { unmount } = render(<ResultDetails result={{ ...result, method, notes: "Ours" }} entry={entry} />);
  const term = screen.getByText("How it was made");
  expect(term.nextElementSibling?.textContent).toBe(method);
  expect(screen.getByText("Notes of the submitter").nextElementSibling).toHaveTextContent("Ours");
  unmount();
  render(<ResultDetails result={result} entry={entry} />);
  expect(screen.queryByText("How it was made")).not.toBeInTheDocument();
});
