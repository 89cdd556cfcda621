import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Board, BoardRow, JudgedBoard } from "@/domains/evaluation/queries";
import { readBoardView } from "./boardView";
import { boardColumns, isSortable, shownColumns } from "./columns";

const metric = { id: "mrr", label: "MRR", unit: "fraction", direction: "higher", description: "" };
const row = (submission: string) => ({ submission, coverage: 1, query: null, cost_usd: null, latency_s: null }) as BoardRow;
const board = { metrics: [metric], main_metric: "mrr", results: [row("a"), row("b")] } as Board;
const judged: JudgedBoard = { split: "test", metric: "mrr", depth: 20, is_outdated: false, entries: [{ submission: "a", judged: 0.4, low: 0.25, high: 0.75 }] };
const view = readBoardView(new URLSearchParams());
const find = (id: string) => boardColumns(board, null, judged).find((column) => column.id === id);

test("a board whose answers are pooled has judged@k and bounds, which do not sort", () => {
  const columns = boardColumns(board, null, judged);
  expect(shownColumns(board, columns, view, false).map(({ label }) => label)).toEqual(["MRR", "Judged@20", "MRR bounds"]);
  expect(columns.filter((column) => !isSortable(column)).map(({ id }) => id)).toEqual(["judged", "bounds", "source"]);
});

test("another board has neither", () => {
  expect(boardColumns(board, null, { ...judged, is_outdated: true }).map(({ label }) => label)).toContain("MRR bounds, of an earlier board");
  for (const none of [undefined, { ...judged, depth: null, entries: [] }]) {
    expect(boardColumns(board, null, none).map(({ id }) => id)).not.toContain("judged");
  }
});

test("an entry that came since has no figures yet", () => {
  render(<p>{find("judged")?.cell(row("a"))}; {find("bounds")?.cell(row("a"))}; {find("judged")?.cell(row("b"))}</p>);
  expect(screen.getByText(/40%; 0.250 to 0.750;/)).toHaveTextContent("40%; 0.250 to 0.750; not known yet");
});
