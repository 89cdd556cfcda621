/** What the server says about graphs: the nouns, their addresses and how they are read. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { components } from "@/api/generated/schema";

type Schemas = components["schemas"];

export type Version = Schemas["Version"];
export type Graph = Schemas["Graph"];
export type GraphDetail = Schemas["GraphDetail"];
export type EntityBrief = Schemas["Brief"];
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

export type Hit = Schemas["Result"];
export type Found = Schemas["Search"];
export type Mode = "names" | "documents" | "hybrid";

/** One relation of an entity, on one side; a symmetric one is read on both as one. */
export type RelationCount = Schemas["EntityRelation"];

export type Entity = Schemas["Entity"];

export type EntityStep = { entity: EntityBrief };
export type EdgeStep = Schemas["StepBody"];
/** A path's turns: the schema gives them as one shape with everything optional. */
export type Step = EntityStep | EdgeStep;
export type GraphPath = Omit<Schemas["PathBody"], "steps"> & { steps: Step[] };
export type Paths = Omit<Schemas["PathsAnswer"], "paths"> & { paths: GraphPath[] };

const BASE = "/api/v1";
/** A version never changes: what was read of it stays true as long as the page is open. */
const IMMUTABLE = { staleTime: Infinity, gcTime: 600_000 };

/** Which graph, and which of its versions (the newest where none is named). */
export interface Where {
  slug: string;
  snapshot: string | null;
}

type Value = string | number | boolean | null | undefined;

export function address(path: string, values: Record<string, Value | string[]>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) {
      for (const one of value) query.append(name, one);
    } else if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

export function graphAddress({ slug }: Where, rest = ""): string {
  return `${BASE}/graphs/${encodeURIComponent(slug)}${rest}`;
}

function entityAddress(where: Where, id: string, rest = ""): string {
  return graphAddress(where, `/entities/${encodeURIComponent(id)}${rest}`);
}

const key = (where: Where, ...rest: unknown[]) => ["graphs", where.slug, where.snapshot, ...rest];

export const graphsQuery = queryOptions({
  queryKey: ["graphs"],
  queryFn: async ({ signal }) => (await call<{ results: Graph[] }>(`${BASE}/graphs`, { signal })).results,
  staleTime: 60_000,
});

export function graphQuery(slug: string) {
  return queryOptions({
    queryKey: ["graph", slug],
    queryFn: ({ signal }) => call<GraphDetail>(graphAddress({ slug, snapshot: null }), { signal }),
    staleTime: 60_000,
  });
}

export interface Search {
  q: string;
  types: string[];
  mode: Mode;
  limit: number;
}

export function searchQuery(where: Where, { q, types, mode, limit }: Search) {
  return queryOptions({
    queryKey: key(where, "search", q, types, mode, limit),
    queryFn: ({ signal }) =>
      call<Found>(
        address(graphAddress(where, "/search"), { q, types, mode, limit, snapshot: where.snapshot }),
        { signal },
      ),
    enabled: q.trim() !== "",
    staleTime: 60_000,
  });
}

export function entityQuery(where: Where, id: string) {
  return queryOptions({
    queryKey: key(where, "entity", id),
    queryFn: async ({ signal }) => {
      const path = address(entityAddress(where, id), { snapshot: where.snapshot });
      const entity = await call<Entity>(path, { signal });
      return { ...entity, relations: withBothSides(entity.relations) };
    },
    ...IMMUTABLE,
  });
}

/** The two sides of a symmetric relation are one thing to a reader: its count is their sum. */
export function withBothSides(relations: RelationCount[]): RelationCount[] {
  const merged = new Map<string, RelationCount>();
  for (const side of relations) {
    const name = side.symmetric ? side.relation : `${side.outgoing} ${side.relation}`;
    const other = merged.get(name);
    merged.set(name, other ? { ...other, outgoing: true, count: other.count + side.count } : side);
  }
  return [...merged.values()];
}

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
    queryKey: key(where, "neighbours", id, side.relation, side.outgoing, limit),
    queryFn: ({ signal }) => neighbourPage(where, id, side, limit, null, signal),
    ...IMMUTABLE,
  });
}

/** All of them, page by page. */
export function neighbourPagesQuery(where: Where, id: string, side: RelationCount) {
  return infiniteQueryOptions({
    queryKey: key(where, "neighbour-pages", id, side.relation, side.outgoing),
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
    queryKey: key(where, "paths", from, to, hops, order, hubs, limit, metapath),
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
    queryKey: key(where, "subgraph", ids.toSorted()),
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
