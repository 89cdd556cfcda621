/** Addresses of the explorer's own pages: everything that a link must carry. */
import type { Where } from "./reading";

/** A CURIE as people know it, with what a path cannot hold escaped. */
export function pathId(id: string): string {
  return encodeURIComponent(id).replaceAll("%3A", ":");
}

type Params = Record<string, string | string[] | null | undefined>;

export function place(where: Where, rest: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one) query.append(name, one);
  }
  if (where.snapshot) query.set("snapshot", where.snapshot);
  const text = query.toString();
  return `/explore/${encodeURIComponent(where.slug)}${rest}${text ? `?${text}` : ""}`;
}

export const searchPlace = (where: Where, q = "", types: string[] = []) => place(where, "", { q, type: types });

export const entityPlace = (where: Where, id: string, params: Params = {}) =>
  place(where, `/e/${pathId(id)}`, params);

export const canvasPlace = (where: Where, focus: string) => place(where, "/canvas", { focus });

export const pathsPlace = (where: Where, from: string, to: string[] = [], params: Params = {}) =>
  place(where, "/paths", { from, to, ...params });

export const comparePlace = (where: Where, ids: string[]) => place(where, "/compare", { id: ids });

export const rnsPlace = (where: Where, sets: { existing?: string[]; serendipity?: string[] } = {}, options: Params = {}) =>
  place(where, "/rns", { ...sets, ...options });

export const setsFilePlace = (where: Where) => place(where, "/rns/file");
