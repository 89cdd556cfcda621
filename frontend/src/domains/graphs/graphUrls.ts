/** Addresses of the explorer's own pages: everything that a link must carry. */
import type { GraphRef } from "./graphQueries";

/** A CURIE as people know it, with what a path cannot hold escaped. */
function encodeEntityId(id: string): string {
  return encodeURIComponent(id).replaceAll("%3A", ":");
}

export type UrlParams = Record<string, string | string[] | null | undefined>;

export function graphUrl(where: GraphRef, rest: string, params: UrlParams = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one) query.append(name, one);
  }
  if (where.snapshot) query.set("snapshot", where.snapshot);
  if (where.until) query.set("until", String(where.until));
  const text = query.toString();
  return `/explore/${encodeURIComponent(where.slug)}${rest}${text ? `?${text}` : ""}`;
}

export const searchUrl = (where: GraphRef, q = "", types: string[] = []) => graphUrl(where, "", { q, type: types });

export const entityUrl = (where: GraphRef, id: string, params: UrlParams = {}) =>
  graphUrl(where, `/e/${encodeEntityId(id)}`, params);

export const neighbourhoodUrl = (where: GraphRef, focus: string) => graphUrl(where, "/canvas", { focus });

export const pathsUrl = (where: GraphRef, from: string, to: string[] = [], params: UrlParams = {}) =>
  graphUrl(where, "/paths", { from, to, ...params });

export const pathTestUrl = (where: GraphRef, from: string, to: string, params: UrlParams = {}) =>
  graphUrl(where, "/paths/test", { from, to, ...params });

export const compareUrl = (where: GraphRef, ids: string[]) => graphUrl(where, "/compare", { id: ids });

export const schemaUrl = (where: GraphRef) => graphUrl(where, "/schema");
