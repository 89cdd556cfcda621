/** What of the printed tables is shown: read from the address and written to it, so that links carry it. */

import type { LeaderboardColumn, LeaderboardRow, LeaderboardTable } from "@/api/contract";

export type Order = "best" | "worst";

export interface View {
  /** The rest of the address: the state of the board above. */
  rest: URLSearchParams;
  table: LeaderboardTable;
  /** The column that orders the rows; the only one shown, unless the table is shown whole. */
  column: LeaderboardColumn;
  order: Order;
  isWhole: boolean;
  columns: LeaderboardColumn[];
}

const WHOLE = "all";
const PRINTED_NAMES = ["table", "slice", "metric", "first", "printed"];

/** What the address names; a word in it that the tables do not know is passed over. */
export function readView(address: URLSearchParams, tables: LeaderboardTable[]): View | null {
  const table = tables.find(({ id }) => id === address.get("table")) ?? tables[0];
  const column = table && readColumn(address, table);
  if (!column) return null;
  const isWhole = address.get("printed") === WHOLE;
  return {
    rest: new URLSearchParams([...address].filter(([name]) => !PRINTED_NAMES.includes(name))),
    table,
    column,
    order: address.get("first") === "worst" ? "worst" : "best",
    isWhole,
    columns: isWhole ? table.columns : [column],
  };
}

function readColumn(address: URLSearchParams, table: LeaderboardTable): LeaderboardColumn | undefined {
  const main = table.columns.find(({ key }) => key === table.main_column) ?? table.columns[0];
  const [slice, metric] = [address.get("slice") ?? main?.slice, address.get("metric") ?? main?.metric];
  return table.columns.find((one) => one.slice === slice && one.metric === metric) ?? main;
}

type Change = Partial<Pick<View, "column" | "order" | "isWhole">>;

/** The address of this table with another column, order or width. */
export function viewUrl(view: View, change: Change = {}): string {
  const { rest, table, column, order, isWhole } = { ...view, ...change };
  const words = new URLSearchParams([...rest, ["table", table.id]]);
  if (column.key !== table.main_column) {
    words.set("slice", column.slice);
    words.set("metric", column.metric);
  }
  if (order === "worst") words.set("first", order);
  if (isWhole) words.set("printed", WHOLE);
  return `?${words}`;
}

/** Another table begins at its own main column. */
export function tableUrl({ rest, isWhole }: View, table: LeaderboardTable): string {
  const words = new URLSearchParams([...rest, ["table", table.id]]);
  if (isWhole) words.set("printed", WHOLE);
  return `?${words}`;
}

/** The same metric over another slice, or another metric over the same slice. */
export function siblingColumn({ table, column }: View, change: { slice?: string; metric?: string }): LeaderboardColumn {
  const target = { slice: column.slice, metric: column.metric, ...change };
  return table.columns.find(({ slice, metric }) => slice === target.slice && metric === target.metric) ?? column;
}

/** A press on a column's head: best first, pressed again worst first. */
export function pressColumn(view: View, column: LeaderboardColumn): Change {
  const isAgain = column.key === view.column.key;
  return { column, order: isAgain && view.order === "best" ? "worst" : "best" };
}

/**
 * Equal values stay in the order of print, a missing one is last whichever end comes first, and rows
 * over a sample come after all others. Rows that do not compete keep the order of print.
 */
export function sortRows({ table: { rows, is_ranked: isRanked }, column: { key, direction }, order }: View): LeaderboardRow[] {
  if (!isRanked) return rows;
  const descending = (direction === "lower") === (order === "worst");
  const value = (row: LeaderboardRow) => row.cells.find(({ column }) => column === key)?.value ?? null;
  return rows.toSorted((a, b) => {
    if (Boolean(a.sample) !== Boolean(b.sample)) return a.sample ? 1 : -1;
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return descending ? right - left : left - right;
  });
}

/** Settings are shown only where they distinguish rows. */
export function showsSettings(table: LeaderboardTable): boolean {
  return new Set(table.rows.map(({ setting }) => setting)).size > 1;
}
