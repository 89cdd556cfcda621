/** What of a board is shown: read from the address and written to it, so that links carry it. */

import type { Board } from "@/domains/evaluation/queries";
import type { UrlChanges } from "@/lib/useUrlParams";

interface BoardSort {
  column: string;
  order: "ascending" | "descending";
}

export interface BoardView {
  split: "test" | "dev";
  /** The standing of this time; null is the present one. */
  at: string | null;
  /** Null is the slice of all items. */
  slice: string | null;
  /** The metric whose column stands first; null is the main one. */
  metric: string | null;
  /** Null is that metric, and what differs among the entries. */
  columns: string[] | null;
  /** Null keeps the order of the main metric. */
  sort: BoardSort | null;
  text: string;
  provenances: string[];
  hidden: string[];
  offset: number;
  compared: string[];
  /** The measure of the comparison; null is the main metric. */
  measure: string | null;
}

export const PAGE_ROWS = 100;
const MAX_COMPARED = 2;

export function readBoardView(address: URLSearchParams): BoardView {
  const column = address.get("by");
  const columns = address.get("columns");
  return {
    split: address.get("split") === "dev" ? "dev" : "test",
    at: address.get("at"),
    slice: address.get("part"),
    metric: address.get("show"),
    columns: columns === null ? null : columns.split(",").filter(Boolean),
    sort: column ? { column, order: address.get("order") === "descending" ? "descending" : "ascending" } : null,
    text: address.get("text") ?? "",
    provenances: address.getAll("source"),
    hidden: address.getAll("hide"),
    offset: Math.max(0, Number.parseInt(address.get("from") ?? "", 10) || 0),
    compared: address.getAll("compare").slice(0, MAX_COMPARED),
    measure: address.get("measure"),
  };
}

/** The query of the API for all entries of this view in any order. */
export function filterQuery({ split, at, slice, text, provenances, hidden }: BoardView): URLSearchParams {
  const query = new URLSearchParams({ split });
  if (at) query.set("at", at);
  if (slice) query.set("slice", slice);
  if (text) query.set("text", text);
  for (const one of provenances) query.append("provenance", one);
  for (const one of hidden) query.append("hide", one);
  return query;
}

/** The same in the order of the view, and for its page. */
export function entriesQuery(view: BoardView): URLSearchParams {
  const query = filterQuery(view);
  if (view.sort) {
    query.set("sort", view.sort.column);
    query.set("order", view.sort.order);
  }
  return query;
}

export function pageQuery(view: BoardView): string {
  const query = entriesQuery(view);
  if (view.offset) query.set("offset", String(view.offset));
  return String(query);
}

/** Columns whose first press shows the highest value first. */
const HIGHEST_FIRST = ["coverage", "date"];

/** The next press on a column's head: best first, then worst first, then the order of the main metric. */
export function nextBoardSort(board: Board, sort: BoardSort | null, column: string): BoardSort | null {
  const metric = board.metrics.find(({ id }) => id === column);
  const isDescending = metric ? metric.direction !== "lower" : HIGHEST_FIRST.includes(column);
  const [first, second] = isDescending ? (["descending", "ascending"] as const) : (["ascending", "descending"] as const);
  if (sort?.column !== column) return { column, order: first };
  return sort.order === first ? { column, order: second } : null;
}

export function sortChanges(sort: BoardSort | null): UrlChanges {
  return { by: sort?.column ?? null, order: sort?.order === "descending" ? "descending" : null, from: null };
}

/** The two latest choices are compared. */
export function compareChanges(compared: string[], id: string): UrlChanges {
  return { compare: compared.includes(id) ? compared.filter((one) => one !== id) : [...compared.slice(1 - MAX_COMPARED), id] };
}
