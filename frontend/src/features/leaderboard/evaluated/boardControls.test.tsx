import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { Board } from "@/domains/evaluation/queries";
import type { UrlChanges } from "@/lib/useUrlParams";
import { BoardControls } from "./BoardControls";
import { readBoardView } from "./boardView";
import { boardColumns, shownColumns } from "./columns";

const metric = (id: string, label: string) => ({ id, label, unit: "fraction", direction: "higher", description: "" });
const board = {
  release: "pairs", slices: ["all", "few"], overall: "all", default_slice: "all",
  metrics: [metric("mrr", "MRR"), metric("hit1", "Hit@1")], main_metric: "mrr", results: [],
} as unknown as Board;

function show(address: string): UrlChanges[] {
  const changes: UrlChanges[] = [];
  const view = readBoardView(new URLSearchParams(address));
  const columns = boardColumns(board, view, {});
  render(
    <MemoryRouter>
      <BoardControls board={board} view={view} columns={columns} shown={shownColumns(board, columns, view, false)} onChange={(one) => changes.push(one)} />
    </MemoryRouter>,
  );
  return changes;
}

async function open(name: RegExp): Promise<HTMLElement> {
  await userEvent.click(screen.getByRole("button", { name }));
  return screen.findByRole("menu");
}

test("a column is added in the order of the board, and the shown ones are checked", async () => {
  const changes = show("columns=hit1");
  const menu = await open(/Columns/);
  expect(within(menu).getByRole("menuitemcheckbox", { name: "Hit@1" })).toBeChecked();
  expect(within(menu).getByRole("menuitemcheckbox", { name: "MRR" })).not.toBeChecked();
  await userEvent.click(within(menu).getByRole("menuitemcheckbox", { name: "MRR" }));
  expect(changes).toEqual([{ columns: "mrr,hit1" }]);
});

test("the last column stays", async () => {
  const changes = show("columns=hit1");
  await userEvent.click(within(await open(/Columns/)).getByRole("menuitemcheckbox", { name: "Hit@1" }));
  expect(changes).toEqual([]);
});

test("a filter starts at the first row, and the number of filters is on its button", async () => {
  const changes = show("source=baseline&from=100");
  expect(screen.getByRole("button", { name: /Filter/ })).toHaveTextContent("Filter 1");
  await userEvent.click(within(await open(/Filter/)).getByRole("menuitemcheckbox", { name: "Simulated entries" }));
  expect(changes).toEqual([{ hide: ["simulated"], from: null }]);
});

test("files have what the filter leaves", async () => {
  show("source=baseline&text=bm");
  const menu = await open(/Export/);
  expect(within(menu).getByRole("menuitem", { name: /CSV/ })).toHaveAttribute("href", "/api/v1/boards/pairs/entries.csv?split=test&text=bm&provenance=baseline");
});

test("another measure is named in the address, and the main one is not", async () => {
  const changes = show("");
  await userEvent.selectOptions(screen.getByLabelText("Measure"), "Hit@1");
  expect(changes).toEqual([{ show: "hit1" }]);
  const back = show("show=hit1");
  await userEvent.selectOptions(screen.getAllByLabelText("Measure")[1] as HTMLElement, "MRR");
  expect(back).toEqual([{ show: null }]);
});

test("a choice of columns can be left, and rows in the order of a measure that is left lose it", async () => {
  const changes = show("columns=hit1");
  expect(screen.queryByLabelText("Measure")).not.toBeInTheDocument();
  await userEvent.click(within(await open(/Columns/)).getByRole("menuitem", { name: "One measure, as at first" }));
  expect(changes).toEqual([{ columns: null }]);
  const sorted = show("show=hit1&by=hit1&order=descending");
  await userEvent.selectOptions(screen.getByLabelText("Measure"), "MRR");
  expect(sorted).toEqual([{ show: null, by: null, order: null, from: null }]);
});
