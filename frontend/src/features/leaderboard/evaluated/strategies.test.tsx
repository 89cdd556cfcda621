import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Board, StrategyTable } from "@/domains/evaluation/queries";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { StrategiesSection } from "./StrategiesSection";

const METRIC = { id: "seren_hit", label: "SerenHit", description: "", direction: "higher", unit: "fraction" };
const BOARD = { release: "walks", split: "dev", main_metric: "seren_hit", metrics: [METRIC, { ...METRIC, id: "type_match", label: "TypeMatch" }] } as unknown as Board;
const BASELINE = { submission: "b1", name: "Baseline: rns beam", answered_by: "", run: null, beam: null, score: { value: 0.25, low: 0.1, high: 0.4, n: 80 }, difference: null };
const TABLE: StrategyTable = {
  split: "dev", metric: "seren_hit", reference: "b1",
  strategies: [
    {
      submission: "s1", name: "Small", answered_by: "small-2", run: "r1", score: { value: 0.5, low: 0.4, high: 0.6, n: 80 },
      beam: { relations: 5, edges: 10, width: 30, depth: 3, has_summaries: false, has_weights: true },
      difference: { difference: 0.25, low: 0.1, high: 0.4, n: 40, p: 0.0001, p_adjusted: 0.0002, test: "sampled" },
    },
    BASELINE,
  ],
};

function show(table: StrategyTable, path = "/board") {
  const requests = mockServer(({ path: requested }) => {
    if (requested.includes("reference=unknown")) return problemResponse(404, "no_strategy", "The reference is no strategy of this board.");
    return requested.startsWith("/api/v1/boards/walks/strategies") ? jsonResponse(table) : undefined;
  });
  renderRoute([{ path: "/board", element: <StrategiesSection board={BOARD} /> }], path);
  return requests;
}

test("each strategy stands beside the reference, with its setting, interval and corrected p", async () => {
  show(TABLE);
  const table = await screen.findByRole("table", { name: /^Strategies minus Baseline: rns beam, in / });
  const [first, second] = within(table).getAllByRole("row").slice(1);
  expect(first).toHaveTextContent("Smallsmall-2: m 5, k 10, n 30, h 3, without summaries0.5000.400 to 0.600, n 80+0.2500.100 to 0.400under 0.001");
  expect(second).toHaveTextContent("Baseline: rns beamBaseline0.2500.100 to 0.400, n 80reference");
  expect(within(table).getByRole("link", { name: "Small" })).toHaveAttribute("href", "/runs/r1");
});

test("another reference and another measure are requested", async () => {
  const requests = show(TABLE);
  await userEvent.selectOptions(await screen.findByLabelText("Reference"), "Small");
  await userEvent.selectOptions(screen.getByLabelText("Measure of the strategies"), "TypeMatch");
  const last = requests.at(-1)?.path ?? "";
  expect(new URLSearchParams(last.split("?")[1])).toEqual(new URLSearchParams({ split: "dev", metric: "type_match", reference: "s1" }));
});

test("a reference that does not stand is replaced by the usual one", async () => {
  show(TABLE, "/board?reference=unknown");
  expect(await screen.findByRole("table", { name: /Strategies minus Baseline: rns beam/ })).toBeVisible();
});

test("nothing is shown where fewer than two strategies stand", async () => {
  const requests = show({ ...TABLE, strategies: [BASELINE] });
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  expect(screen.queryByRole("region", { name: "Strategies of exploration" })).toBeNull();
});
