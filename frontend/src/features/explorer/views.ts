/** Saved views: what of an address is kept, and how it becomes an address again. */
import type { ViewState } from "./api";

const PAGES = ["", "canvas", "paths", "compare"];

/** The page within its graph, and its query without what the view itself keeps. */
export function stateOf(slug: string, pathname: string, search: string): ViewState {
  const base = `/explore/${encodeURIComponent(slug)}`;
  const page = pathname.startsWith(base) ? pathname.slice(base.length).replace(/^\//, "") : "";
  const query = new URLSearchParams(search);
  query.delete("snapshot");
  query.delete("view");
  return { page, query: query.toString() };
}

/** The link carries the version too, so that whoever reads it sees which one it is about. */
export function viewPlace(id: string, snapshot: string): string {
  return `/explore/view/${encodeURIComponent(id)}?snapshot=${encodeURIComponent(snapshot)}`;
}

/** Where a view leads. Its state was written by somebody: only the explorer's own pages are opened. */
export function addressOf(slug: string, snapshot: string, state: Partial<ViewState>): string | null {
  const { page, query } = state;
  if (typeof page !== "string" || typeof query !== "string") return null;
  const isEntity = /^e\/[^/]+$/.test(page);
  if (!isEntity && !PAGES.includes(page)) return null;
  const params = new URLSearchParams(query);
  params.set("snapshot", snapshot);
  return `/explore/${encodeURIComponent(slug)}${page ? `/${page}` : ""}?${params.toString()}`;
}
