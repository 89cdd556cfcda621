/** What the server says about graphs: the nouns, their addresses and how they are read. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";

export interface Version {
  snapshot: string;
  number: number;
  entities: number;
  edges: number;
  created_at: string;
}

export interface Graph {
  id: string;
  slug: string;
  name: string;
  description: string;
  licence: string;
  citation: string;
  visibility: "public" | "private" | "study";
  versions: Version[];
  latest: string | null;
}

export interface EntityBrief {
  id: string;
  name: string;
  type: string;
  degree: number;
}

export type MatchKind = "identifier" | "name" | "synonym" | "prefix" | "typo" | "document";

export interface Hit extends EntityBrief {
  matched: { kind: MatchKind; text: string; snippet?: string | null };
}

export interface Found {
  snapshot: string;
  results: Hit[];
  facets: { type: string; count: number }[];
}

export type Mode = "names" | "documents" | "hybrid";

export interface Identifier {
  curie: string;
  scheme: string;
  url: string | null;
}

export interface Section {
  title: string;
  text: string;
  source: string;
}

export interface RelationCount {
  relation: string;
  phrase: string;
  outgoing: boolean;
  symmetric: boolean;
  count: number;
}

export interface Entity {
  snapshot: string;
  id: string;
  number: number;
  name: string;
  type: string;
  synonyms: string[];
  identifiers: Identifier[];
  document: Section[];
  relations: RelationCount[];
}

export interface Publication {
  curie: string;
  url: string | null;
}

export interface Evidence {
  source: string;
  score: number | null;
  level: string;
  p_value: number | null;
  publications: Publication[];
  folded: number;
}

export interface Neighbour {
  edge: number;
  entity: EntityBrief;
  evidence: Evidence | null;
}

export interface NeighbourPage {
  snapshot: string;
  count: number;
  results: Neighbour[];
  next: string | null;
}

export type EntityStep = { entity: EntityBrief };
export type EdgeStep = {
  edge: number;
  relation: string;
  phrase: string;
  forward: boolean;
  evidence: Evidence | null;
};
export type Step = EntityStep | EdgeStep;

export interface GraphPath {
  rank: number;
  weight: number;
  metapath: string;
  steps: Step[];
}

export type Order = "probability" | "degree";

export interface Paths {
  snapshot: string;
  shown: number;
  found: number;
  hidden_through_hubs: number;
  capped: boolean;
  order: Order;
  formula: string;
  metapaths: { key: string; words: string; count: number; hidden: number }[];
  paths: GraphPath[];
}

export interface SubgraphEdge {
  edge: number;
  source: string;
  target: string;
  relation: string;
  phrase: string;
  symmetric: boolean;
  evidence: Evidence | null;
}

export interface Subgraph {
  snapshot: string;
  entities: EntityBrief[];
  edges: SubgraphEdge[];
}

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
  queryFn: async ({ signal }) => {
    const body = await call<Graph[] | { results: Graph[] }>(`${BASE}/graphs`, { signal });
    return Array.isArray(body) ? body : body.results;
  },
  staleTime: 60_000,
});

export function graphQuery(slug: string) {
  return queryOptions({
    queryKey: ["graph", slug],
    queryFn: ({ signal }) => call<Graph>(graphAddress({ slug, snapshot: null }), { signal }),
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
    queryFn: ({ signal }) =>
      call<Entity>(address(entityAddress(where, id), { snapshot: where.snapshot }), { signal }),
    ...IMMUTABLE,
  });
}

export interface Side {
  relation: string;
  outgoing: boolean;
}

export const PAGE = 50;

function neighbourPage(where: Where, id: string, side: Side, limit: number, cursor: string | null, signal: AbortSignal) {
  const { relation, outgoing } = side;
  const values = { relation, outgoing, limit, cursor, snapshot: where.snapshot };
  return call<NeighbourPage>(address(entityAddress(where, id, "/neighbours"), values), { signal });
}

/** The first of the neighbours on one side, for what draws or compares a few of them. */
export function neighboursQuery(where: Where, id: string, side: Side, limit: number) {
  return queryOptions({
    queryKey: key(where, "neighbours", id, side.relation, side.outgoing, limit),
    queryFn: ({ signal }) => neighbourPage(where, id, side, limit, null, signal),
    ...IMMUTABLE,
  });
}

/** All of them, page by page. */
export function neighbourPagesQuery(where: Where, id: string, side: Side) {
  return infiniteQueryOptions({
    queryKey: key(where, "neighbour-pages", id, side.relation, side.outgoing),
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => neighbourPage(where, id, side, PAGE, pageParam, signal),
    getNextPageParam: (last) => cursorOf(last.next),
    ...IMMUTABLE,
  });
}

/** The cursor itself, whether the server gives it bare or inside the next page's address. */
export function cursorOf(next: string | number | null): string | undefined {
  if (next === null) return undefined;
  const text = String(next);
  if (!text.includes("cursor=")) return text;
  return new URL(text, window.location.origin).searchParams.get("cursor") ?? undefined;
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
    queryKey: key(where, "subgraph", [...ids].sort()),
    queryFn: ({ signal }) =>
      call<Subgraph>(address(graphAddress(where, "/subgraph"), { snapshot: where.snapshot }), {
        method: "POST", json: { ids }, signal,
      }),
    enabled: ids.length > 0,
    ...IMMUTABLE,
  });
}

export type ExportFormat = "csv" | "json" | "graphml";

/** Some entities with the edges among them, or one with its own edges. */
export type Part = { ids: string[] } | { around: string };

export function exportAddress(where: Where, format: ExportFormat, part: Part): string {
  return address(graphAddress(where, "/export"), { format, ...part, snapshot: where.snapshot });
}

/** What a saved view holds: a page of the explorer and what its address said. */
export interface ViewState {
  page: string;
  query: string;
}

export interface SavedView {
  id: string;
  url: string;
  title: string;
  graph: string;
  snapshot: string;
  state: ViewState;
  created_at: string;
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
