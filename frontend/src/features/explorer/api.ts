/** What the server says about graphs: the nouns, their addresses and how they are read. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { components } from "@/api/generated/schema";
import {
  address,
  BASE,
  entityAddress,
  graphAddress,
  graphKey,
  IMMUTABLE,
  type Graph,
  type GraphPath,
  type RelationCount,
  type Where,
} from "@/lib/graphs/reading";

export * from "@/lib/graphs/reading";

type Schemas = components["schemas"];

export type Identifier = Schemas["Identifier"];
export type Section = Schemas["Section"];
export type Evidence = Schemas["Evidence"];
export type Publication = Schemas["Publication"];
export type Neighbour = Schemas["Neighbour"];
export type NeighbourPage = Schemas["Neighbours"];
export type Order = Schemas["OrderEnum"];
export type SubgraphEdge = Schemas["SubgraphEdge"];
export type Subgraph = Schemas["SubgraphAnswer"];
export type SavedView = Schemas["View"];
export type ViewState = Schemas["ViewState"];

export type Paths = Omit<Schemas["PathsAnswer"], "paths"> & { paths: GraphPath[] };

export const graphsQuery = queryOptions({
  queryKey: ["graphs"],
  queryFn: async ({ signal }) => (await call<{ results: Graph[] }>(`${BASE}/graphs`, { signal })).results,
  staleTime: 60_000,
});

export const PAGE = 50;
const SECOND = "second ";

/** A page of one side; of a symmetric relation, first all that the one side has, then the other. */
async function neighbourPage(
  where: Where, id: string, side: RelationCount, limit: number, cursor: string | null, signal: AbortSignal,
): Promise<NeighbourPage> {
  const read = (outgoing: boolean, after: string | null, most: number) => {
    const values = { relation: side.relation, outgoing, limit: most, cursor: after, snapshot: where.snapshot };
    return call<NeighbourPage>(address(entityAddress(where, id, "/neighbours"), values), { signal });
  };
  if (!side.symmetric) return read(side.outgoing, cursor, limit);
  if (cursor?.startsWith(SECOND)) return ofBoth(side, await read(false, cursor.slice(SECOND.length), limit), true);
  const first = await read(true, cursor, limit);
  if (first.next !== null) return ofBoth(side, first, false);
  const second = ofBoth(side, await read(false, null, Math.max(1, limit - first.results.length)), true);
  return { ...second, results: [...first.results, ...second.results] };
}

function ofBoth(side: RelationCount, page: NeighbourPage, isSecond: boolean): NeighbourPage {
  return { ...page, count: side.count, next: page.next !== null && isSecond ? `${SECOND}${page.next}` : page.next };
}

/** The first of the neighbours on one side, for what draws or compares a few of them. */
export function neighboursQuery(where: Where, id: string, side: RelationCount, limit: number) {
  return queryOptions({
    queryKey: graphKey(where, "neighbours", id, side.relation, side.outgoing, limit),
    queryFn: ({ signal }) => neighbourPage(where, id, side, limit, null, signal),
    ...IMMUTABLE,
  });
}

/** All of them, page by page. */
export function neighbourPagesQuery(where: Where, id: string, side: RelationCount) {
  return infiniteQueryOptions({
    queryKey: graphKey(where, "neighbour-pages", id, side.relation, side.outgoing),
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => neighbourPage(where, id, side, PAGE, pageParam, signal),
    getNextPageParam: (last) => last.next,
    ...IMMUTABLE,
  });
}

export interface PathSearch {
  from: string;
  to: string;
  hops: number;
  order: Order;
  hubs: boolean;
  limit: number;
  /** Only this kind of path. */
  metapath?: string | null;
}

export function pathsQuery(where: Where, { from, to, hops, order, hubs, limit, metapath = null }: PathSearch) {
  return queryOptions({
    queryKey: graphKey(where, "paths", from, to, hops, order, hubs, limit, metapath),
    queryFn: ({ signal }) =>
      call<Paths>(
        address(graphAddress(where, "/paths"), {
          from: [from], to: [to], hops, order, limit, hubs: hubs || null, metapath, snapshot: where.snapshot,
        }),
        { signal },
      ),
    ...IMMUTABLE,
  });
}

/** The edges among some entities. */
export function subgraphQuery(where: Where, ids: string[]) {
  return queryOptions({
    queryKey: graphKey(where, "subgraph", ids.toSorted()),
    queryFn: ({ signal }) =>
      call<Subgraph>(address(graphAddress(where, "/subgraph"), { snapshot: where.snapshot }), {
        method: "POST", json: { ids }, signal,
      }),
    enabled: ids.length > 0,
    ...IMMUTABLE,
  });
}

export type ExportFormat = "csv" | "json" | "graphml" | "kgx";
/** What every server and proxy on the way takes as an address. */
const LONGEST_ADDRESS = 2000;

/** Some entities with the edges among them, or one with its own edges. */
export type Part = { ids: string[] } | { around: string };

/** How to ask for a file; many entities go in the body, for an address holds only so much. */
export function exportRequest(where: Where, format: ExportFormat, part: Part): { address: string; json?: unknown } {
  const path = graphAddress(where, "/export");
  const whole = address(path, { format, ...part, snapshot: where.snapshot });
  if (whole.length <= LONGEST_ADDRESS || "around" in part) return { address: whole };
  return { address: address(path, { snapshot: where.snapshot }), json: { format, ids: part.ids } };
}

export function saveView(where: Where, title: string, state: ViewState): Promise<SavedView> {
  return call<SavedView>(graphAddress(where, "/views"), {
    method: "POST", json: { title, state, snapshot: where.snapshot },
  });
}

export function viewQuery(id: string) {
  return queryOptions({
    queryKey: ["graph-views", id],
    queryFn: ({ signal }) => call<SavedView>(`${BASE}/views/${encodeURIComponent(id)}`, { signal }),
    ...IMMUTABLE,
  });
}
