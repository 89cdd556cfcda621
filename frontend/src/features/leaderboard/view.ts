/** What of a track is shown: read from the address and written to it, so that links carry it. */

import type { LeaderboardColumn, LeaderboardRow, LeaderboardTable } from "@/api/contract";

/** The word in the address for a table's every slice at once. */
export const EVERY_SLICE = "every";

export interface Sort {
  column: LeaderboardColumn;
  first: "best" | "worst";
}

export interface View {
  table: LeaderboardTable;
  /** A slice's key, or EVERY_SLICE. */
  slice: string;
  columns: LeaderboardColumn[];
  /** Null keeps the order of print. */
  sort: Sort | null;
}

/** What the address asks for; a word in it that the tables do not know is passed over. */
export function readView(address: URLSearchParams, tables: LeaderboardTable[]): View | null {
  const table = tables.find(({ id }) => id === address.get("table")) ?? tables[0];
  if (!table) return null;
  const slice = readSlice(address.get("slice"), table);
  const columns = table.columns.filter((column) => slice === EVERY_SLICE || column.slice === slice);
  return { table, slice, columns, sort: readSort(address, columns) };
}

/** One metric over several slices reads best as one table; several metrics are taken apart. */
export function canSwitchSlice(table: LeaderboardTable): boolean {
  return table.slices.length > 1 && table.metrics.length > 1;
}

function readSlice(asked: string | null, table: LeaderboardTable): string {
  if (!canSwitchSlice(table) || asked === EVERY_SLICE) return EVERY_SLICE;
  const known = table.slices.some(({ key }) => key === asked);
  return known && asked ? asked : table.main_slice || EVERY_SLICE;
}

function readSort(address: URLSearchParams, columns: LeaderboardColumn[]): Sort | null {
  const column = columns.find(({ key }) => key === address.get("sort"));
  if (!column) return null;
  return { column, first: address.get("first") === "worst" ? "worst" : "best" };
}

export function tableAddress(table: LeaderboardTable): string {
  return `?${new URLSearchParams({ table: table.id })}`;
}

/** Another slice of the same table; a sort by a metric stays with that metric. */
export function sliceAddress(view: View, slice: string): string {
  const words = new URLSearchParams({ table: view.table.id, slice });
  const metric = view.sort?.column.metric;
  const column = view.table.columns.find((one) => one.slice === slice && one.metric === metric);
  if (view.sort && column) withSort(words, { ...view.sort, column });
  return `?${words}`;
}

/** The next press on a column's head: best first, then worst first, then the order of print. */
export function nextSort(sort: Sort | null, column: LeaderboardColumn): Sort | null {
  if (sort?.column.key !== column.key) return { column, first: "best" };
  return sort.first === "best" ? { column, first: "worst" } : null;
}

export function sortAddress(view: View, sort: Sort | null): URLSearchParams {
  const words = new URLSearchParams({ table: view.table.id });
  if (canSwitchSlice(view.table)) words.set("slice", view.slice);
  if (sort) withSort(words, sort);
  return words;
}

function withSort(words: URLSearchParams, { column, first }: Sort): void {
  words.set("sort", column.key);
  if (first === "worst") words.set("first", first);
}

/** Equal values keep the order of print; a missing one is last whichever end comes first. */
export function sortRows(rows: LeaderboardRow[], sort: Sort | null): LeaderboardRow[] {
  if (!sort) return rows;
  const { key, direction } = sort.column;
  const descending = (direction === "lower") === (sort.first === "worst");
  const value = (row: LeaderboardRow) => row.cells.find(({ column }) => column === key)?.value ?? null;
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return descending ? right - left : left - right;
  });
}

/** Settings are shown only where they tell rows apart. */
export function showsSettings(table: LeaderboardTable): boolean {
  return new Set(table.rows.map(({ setting }) => setting)).size > 1;
}
