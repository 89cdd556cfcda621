/** Saved views: what of an address is kept, and how it becomes an address again. */
import type { SavedView, ViewState } from "./api";

const VIEW_PAGES = ["", "canvas", "paths", "compare"];

/** The page within its graph, and its query without what the view itself keeps. */
export function toViewState(slug: string, pathname: string, search: string): ViewState {
  const base = `/explore/${encodeURIComponent(slug)}`;
  const page = pathname.startsWith(base) ? pathname.slice(base.length).replace(/^\//, "") : "";
  const query = new URLSearchParams(search);
  query.delete("snapshot");
  query.delete("view");
  return { page, query: query.toString() };
}

/** The link carries the version too, so that whoever reads it sees which one it is about. */
export function viewUrl(id: string, snapshot: string): string {
  return `/explore/view/${encodeURIComponent(id)}?snapshot=${encodeURIComponent(snapshot)}`;
}

type ViewPlace = Pick<SavedView, "id" | "graph" | "snapshot"> & { state: Partial<ViewState> };

/** The page that a view shows, in its version. */
export function viewStateUrl(view: ViewPlace): string | null {
  return pageUrl(view, { snapshot: view.snapshot, view: view.id });
}

/** The same page in the newest version, without the view. */
export function viewLiveUrl(view: ViewPlace): string | null {
  return pageUrl(view, {});
}

/** The state of a view is user input: only the explorer's own pages are opened. */
function pageUrl({ graph, state: { page, query } }: ViewPlace, more: Record<string, string>): string | null {
  if (typeof page !== "string" || typeof query !== "string") return null;
  const isEntity = /^e\/[^/]+$/.test(page);
  if (!isEntity && !VIEW_PAGES.includes(page)) return null;
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(more)) params.set(name, value);
  const text = params.toString();
  return `/explore/${encodeURIComponent(graph)}${page ? `/${page}` : ""}${text ? `?${text}` : ""}`;
}

/** Whether a page and its query are those of the view, in whatever order the parameters stand. */
export function isSameView(view: SavedView, { page, query }: ViewState, snapshot: string | null): boolean {
  return view.snapshot === snapshot && view.state.page === page && sorted(view.state.query) === sorted(query);
}

function sorted(query: string): string {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
}
