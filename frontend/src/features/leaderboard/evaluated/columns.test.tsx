import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { IntervalNotes } from "@/domains/evaluation/IntervalNotes";
import type { BoardGroundedness } from "@/domains/evaluation/groundedness";
import type { Board, BoardRow, JudgedBoard } from "@/domains/evaluation/queries";
import { readBoardView } from "./boardView";
import { boardColumns, isSortable, shownColumns } from "./columns";

const metric = { id: "mrr", label: "MRR", unit: "fraction", direction: "higher", description: "" };
const row = (submission: string) => ({ submission, scores: {}, coverage: 1, query: null, cost_usd: null, latency_s: null }) as BoardRow;
const board = { metrics: [metric], main_metric: "mrr", results: [row("a"), row("b")] } as Board;
const judged: JudgedBoard = { split: "test", metric: "mrr", depth: 20, is_outdated: false, entries: [{ submission: "a", judged: 0.4, low: 0.25, high: 0.75 }] };
const view = readBoardView(new URLSearchParams());
const find = (id: string) => boardColumns(board, view, { judged }).find((column) => column.id === id);

test("a board whose answers are pooled has judged@k and bounds, which do not sort", () => {
  const columns = boardColumns(board, view, { judged });
  expect(shownColumns(board, columns, view, false).map(({ label }) => label)).toEqual(["MRR", "Judged@20", "MRR bounds"]);
  expect(columns.filter((column) => !isSortable(column)).map(({ id }) => id)).toEqual(["judged", "bounds", "source"]);
});

test("another board has neither", () => {
  expect(boardColumns(board, view, { judged: { ...judged, is_outdated: true } }).map(({ label }) => label)).toContain("MRR bounds, of an earlier board");
  for (const none of [undefined, { ...judged, depth: null, entries: [] }]) {
    expect(boardColumns(board, view, { judged: none }).map(({ id }) => id)).not.toContain("judged");
  }
});

test("an entry that came since has no figures yet", () => {
  render(<p>{find("judged")?.cell(row("a"))}; {find("bounds")?.cell(row("a"))}; {find("judged")?.cell(row("b"))}</p>);
  expect(screen.getByText(/40%; 0.250 to 0.750;/)).toHaveTextContent("40%; 0.250 to 0.750; not known yet");
});

const judge = { verifier: "plain", version: "2", model: "", model_size: "", endpoint: "", graph: "g", graph_name: "G", snapshot: "s", literature: "", literature_name: "", literature_digest: "", cutoff: null };
const cell = { source: "graph", value: 62.5, low: 50.2, high: 71, n: 40, claims: 120, undefined: 3, failed: 0, at_least: 62.5 };
const groundedness: BoardGroundedness = {
  split: "test",
  judges: [
    { judge, agreements: [], entries: [{ submission: "a", cells: [cell], corrected: [] }], bins: null },
    { judge: { ...judge, verifier: "model", model: "tiny", model_size: "135-million-parameter model", endpoint: "here", version: "ab12" }, agreements: [], entries: [{ submission: "b", cells: [{ ...cell, value: null, at_least: null, low: null, high: null, n: 0 }], corrected: [] }], bins: null },
  ],
};

test("each verifier has a column of groundedness of its own, with its version in the head", () => {
  const columns = boardColumns(board, view, { groundedness });
  const heads = ["MRR", "Groundedness by graph, plain verifier 2", "Groundedness by graph, tiny at here, prompts ab12"];
  expect(shownColumns(board, columns, view, false).map(({ label }) => label)).toEqual(heads);
  expect(shownColumns(board, columns, view, true).map(({ label }) => label)).toEqual(heads);
  const [first, second] = columns.filter(({ id }) => id.startsWith("grounded-"));
  expect(first && isSortable(first)).toBe(false);
  render(<p>{first?.cell(row("a"))}; {first?.cell(row("b"))}; {second?.cell(row("b"))}</p>);
  expect(screen.getByText(/62.5%/)).toHaveTextContent("62.5% 50.2 to 71.0, n 40, 3 without a claim; not grounded; undefined no interval, n 0, 3 without a claim");
});

test("rationales that failed stand in the note, with the share that is left if they count as 0", () => {
  const failed = { ...cell, failed: 10, at_least: 50 };
  const corrected = { source: "graph", value: 40, at_least: 32, low: 30, high: 50, verified: 20, effective_verdicts: null, kappa: null, is_approximate: true };
  const entries = [{ submission: "a", cells: [failed], corrected: [corrected] }, { submission: "b", cells: [{ ...failed, value: null, at_least: null }], corrected: [] }];
  const [raw, second] = boardColumns(board, view, { groundedness: { split: "test", judges: [{ judge, agreements: [], entries, bins: null }] } }).filter(({ id }) => id.startsWith("grounded-"));
  render(<p>{raw?.cell(row("a"))}; {raw?.cell(row("b"))}; {second?.cell(row("a"))}</p>);
  const text = screen.getByText(/62.5%/);
  expect(text).toHaveTextContent("n 40, 3 without a claim, 10 failed (50.0% if these count as 0);");
  expect(text).toHaveTextContent("3 without a claim, 10 failed;");
  expect(text).toHaveTextContent("30.0 to 50.0 (approximate), 20 verified claims");
  expect(text).toHaveTextContent("κ undefined, 32.0% if failed rationales count as 0");
});

test("what experts corrected stands beside the verifier's own figure", () => {
  const corrected = { source: "graph", value: 48.25, at_least: 48.25, low: 40, high: 56.5, is_approximate: false, verified: 200, effective_verdicts: 310.4, kappa: { value: 0.512, low: 0.4, high: 0.62, n: 200, is_approximate: false } };
  const single = { ...corrected, low: null, high: null, verified: 1, effective_verdicts: null, kappa: null };
  const few = { ...corrected, kappa: { ...corrected.kappa, low: null, high: null } };
  const entries = [
    { submission: "a", cells: [cell], corrected: [corrected] },
    { submission: "b", cells: [cell], corrected: [] },
    { submission: "c", cells: [cell], corrected: [single] },
    { submission: "d", cells: [cell], corrected: [few] },
  ];
  const columns = boardColumns(board, view, { groundedness: { split: "test", judges: [{ judge, agreements: [], entries, bins: null }] } });
  const [raw, second] = columns.filter(({ id }) => id.startsWith("grounded-"));
  expect([raw?.label, second?.label]).toEqual([
    "Groundedness by graph, plain verifier 2",
    "Groundedness by graph, plain verifier 2, corrected by experts",
  ]);
  render(<p>{second?.cell(row("a"))}; {second?.cell(row("b"))}</p>);
  expect(screen.getByText(/48.3%/)).toHaveTextContent("48.3% 40.0 to 56.5, 200 verified claims, as exact as 310 verdicts alone, κ 0.51 (0.40 to 0.62); not verified");
  render(<div>{second?.cell(row("c"))}</div>);
  expect(screen.getByText(/κ undefined/)).toHaveTextContent("no interval, 1 verified claim, κ undefined");
  render(<div>{second?.cell(row("d"))}</div>);
  expect(screen.getByText(/κ 0.51 \(no/)).toHaveTextContent("200 verified claims, as exact as 310 verdicts alone, κ 0.51 (no interval)");
});

test("a board whose entries have no rationales has no such column", () => {
  for (const none of [undefined, { split: "test", judges: [] }]) {
    expect(boardColumns(board, view, { groundedness: none }).filter(({ id }) => id.startsWith("grounded-"))).toEqual([]);
  }
});

test("an interval that is approximate or missing has its mark, and a sentence of what it means", () => {
  const scored = { ...row("a"), scores: { "mrr all": [0.5, 0.4, 0.6, 12], "mrr few": [0.5, null, null, 3], "mrr none": [0, null, null, 0] }, interval_reasons: { "mrr all": "few_clusters", "mrr few": "too_few_clusters", "mrr none": "undefined" } } as unknown as BoardRow;
  const texts = ["all", "few", "none"].map((slice) => {
    const { container } = render(<p>{boardColumns(board, { slice, metric: null })[0]?.cell(scored)}</p>);
    return container.textContent;
  });
  expect(texts).toEqual(["0.500 0.400 to 0.600, approximate", "0.500 no interval, too few items", "0.000 nothing to count"]);
  render(<IntervalNotes rows={[scored]} keys={["mrr few"]} />);
  expect(screen.getByText(/fewer independent groups/)).not.toHaveTextContent("Approximate");
});

test("a score states the coverage of its slice where not all items have a prediction", () => {
  const scores = { "mrr all": [0.5, 0.4, 0.6, 60], "mrr few": [0.5, 0.4, 0.6, 20] };
  const partial = { ...row("a"), coverage: 0.9999, scores, interval_reasons: {}, coverages: { "mrr few": 0.7, "mrr all": 0.9999 } } as unknown as BoardRow;
  const before = { ...partial, coverages: null };
  const text = (slice: string, one: BoardRow) => render(<p>{boardColumns(board, { slice, metric: null })[0]?.cell(one)}</p>).container.textContent;
  expect(text("few", partial)).toBe("0.500 0.400 to 0.600 coverage 70%");
  expect(text("all", partial)).toBe("0.500 0.400 to 0.600 coverage 99%");
  expect(text("few", before)).toBe("0.500 0.400 to 0.600");
  render(<p data-testid="coverage">{find("coverage")?.cell(partial)}</p>);
  expect(screen.getByTestId("coverage")).toHaveTextContent("99%");
});

test("the cost of an entry on the front is marked", () => {
  const cost = boardColumns(board, view, { front: ["a"] }).find(({ id }) => id === "cost");
  const { container } = render(<p>{cost?.cell({ ...row("a"), cost_usd: 2 })}; {cost?.cell({ ...row("b"), cost_usd: 3 })}</p>);
  expect(container).toHaveTextContent("$2.00 Pareto front; $3.00");
});

test("one metric stands in the table, the main one or the one that the address names, on one scale for all rows", () => {
  const two = { ...board, default_slice: "all", metrics: [metric, { ...metric, id: "hits", label: "Hits", unit: "count" }], results: [
    { ...row("a"), scores: { "hits all": [20, 15, 25, 60] }, interval_reasons: {} }, { ...row("b"), scores: { "hits all": [40, 30, 50, 60] }, interval_reasons: {} },
  ] } as unknown as Board;
  const ids = (address: string) => {
    const chosen = readBoardView(new URLSearchParams(address));
    return shownColumns(two, boardColumns(two, chosen), chosen, false).map(({ id }) => id);
  };
  expect(ids("")).toEqual(["mrr"]);
  expect(ids("show=hits")).toEqual(["hits"]);
  expect(ids("show=other")).toEqual(["mrr"]);
  expect(ids("show=hits&columns=mrr")).toEqual(["mrr"]);
  const [hits] = boardColumns(two, { slice: null, metric: "hits" });
  const left = two.results.map((one) => render(<p>{hits?.cell(one)}</p>).container.querySelector<HTMLElement>("[data-scale] > :last-child")?.style.left);
  expect(left).toEqual(["40%", "80%"]);
});
