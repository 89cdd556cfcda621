/** Graphs at the server: the nouns, their addresses and how they are read. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import {
  apiUrl,
  API_BASE,
  entityApiUrl,
  graphApiUrl,
  graphKey,
  IMMUTABLE_QUERY,
  type Paths,
  type RelationCount,
  type GraphRef,
} from "@/domains/graphs/graphQueries";
import type { Job } from "@/domains/jobs/jobs";
import { readQuery } from "@/lib/readQuery";

export * from "@/domains/graphs/graphQueries";

type Schemas = components["schemas"];

export type GraphSchema = Schemas["GraphSchema"];
export type DegreeProfile = Schemas["DegreeProfile"];
export type NetworkComparison = Schemas["NetworkComparison"];
export type NetworkFigures = Schemas["NetworkFigures"];
export type Identifier = Schemas["Identifier"];
export type Section = Schemas["Section"];
export type Evidence = Schemas["Evidence"];
export type Publication = Schemas["Publication"];
export type Neighbour = Schemas["Neighbour"];
export type NeighbourPage = Schemas["Neighbours"];
export type PathOrder = Schemas["OrderEnum"];
export type SubgraphEdge = Schemas["SubgraphEdge"];
type Subgraph = Schemas["Subgraph"];
export type SavedView = Schemas["View"];
export type ViewState = Schemas["ViewState"];
type EntityPage = Schemas["EntityList"];
export type EntityHistory = Schemas["EntityHistory"];

/** Of the whole version, whatever year the address has. */
export const entityHistoryQuery = (where: GraphRef, id: string) =>
  readQuery<EntityHistory>(graphKey(where, "entity", id, "history"), apiUrl(entityApiUrl(where, id, "/history"), { snapshot: where.snapshot }), IMMUTABLE_QUERY);

export const PAGE_SIZE = 50;
const SECOND_PAGE_CURSOR = "second ";

/** A page of one side; of a symmetric relation, first all that the one side has, then the other. */
async function neighbourPage(
  where: GraphRef, id: string, side: RelationCount, limit: number, cursor: string | null, signal: AbortSignal,
): Promise<NeighbourPage> {
  const read = (outgoing: boolean, after: string | null, most: number) => {
    const values = { relation: side.relation, outgoing, limit: most, cursor: after, snapshot: where.snapshot, first_seen_until: where.until };
    return request<NeighbourPage>(apiUrl(entityApiUrl(where, id, "/neighbours"), values), { signal });
  };
  if (!side.symmetric) return read(side.outgoing, cursor, limit);
  if (cursor?.startsWith(SECOND_PAGE_CURSOR)) return mergePages(where, side, await read(false, cursor.slice(SECOND_PAGE_CURSOR.length), limit), true);
  const first = await read(true, cursor, limit);
  if (where.until && first.next !== null) return datedPage(first, await read(false, null, 1), first.next);
  if (first.next !== null) return mergePages(where, side, first, false);
  const second = mergePages(where, side, await read(false, null, Math.max(1, limit - first.results.length)), true);
  const both = { ...second, results: [...first.results, ...second.results] };
  return where.until ? datedPage(first, both, both.next) : both;
}

/** Under a cut-off the counts of the entity do not hold: both sides' own are added. */
function datedPage(first: NeighbourPage, second: NeighbourPage, next: string | null): NeighbourPage {
  const results = next !== null && next === first.next ? first.results : second.results;
  const undated = (first.undated ?? 0) + (second.undated ?? 0);
  return { ...first, results, count: first.count + second.count, undated, next };
}

function mergePages(where: GraphRef, side: RelationCount, page: NeighbourPage, isSecond: boolean): NeighbourPage {
  return { ...page, count: where.until ? page.count : side.count, next: page.next !== null && isSecond ? `${SECOND_PAGE_CURSOR}${page.next}` : page.next };
}

/** The first of the neighbours on one side, for what draws or compares a few of them. */
export function neighboursQuery(where: GraphRef, id: string, side: RelationCount, limit: number) {
  return queryOptions({
    queryKey: graphKey(where, "neighbours", id, side.relation, side.outgoing, limit, where.until),
    queryFn: ({ signal }) => neighbourPage(where, id, side, limit, null, signal),
    ...IMMUTABLE_QUERY,
  });
}

export function neighbourPagesQuery(where: GraphRef, id: string, side: RelationCount) {
  return infiniteQueryOptions({
    queryKey: graphKey(where, "neighbour-pages", id, side.relation, side.outgoing, where.until),
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => neighbourPage(where, id, side, PAGE_SIZE, pageParam, signal),
    getNextPageParam: (last) => last.next,
    ...IMMUTABLE_QUERY,
  });
}

/** Entities of one type, page by page. */
export function entityPagesQuery(where: GraphRef, type: string) {
  return infiniteQueryOptions({
    queryKey: graphKey(where, "entities", type),
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => {
      const values = { type, limit: PAGE_SIZE, cursor: pageParam, snapshot: where.snapshot };
      return request<EntityPage>(apiUrl(graphApiUrl(where, "/entities"), values), { signal });
    },
    getNextPageParam: (last) => last.next,
    ...IMMUTABLE_QUERY,
  });
}

interface PathSearch {
  from: string;
  to: string;
  hops: number;
  order: PathOrder;
  hubs: boolean;
  limit: number;
  /** Only this kind of path. */
  metapath?: string | null;
}

export function pathsQuery(where: GraphRef, { from, to, hops, order, hubs, limit, metapath = null }: PathSearch) {
  const url = apiUrl(graphApiUrl(where, "/paths"), {
    from: [from], to: [to], hops, order, limit, hubs: hubs || null, metapath, snapshot: where.snapshot, first_seen_until: where.until,
  });
  return readQuery<Paths>(graphKey(where, "paths", from, to, hops, order, hubs, limit, metapath, where.until), url, IMMUTABLE_QUERY);
}

export type MetapathTest = Schemas["MetapathTest"];
export type TestedMetapath = Schemas["TestedMetapath"];

/** Two entities and how their metapaths are tested; one metapath by its key, or all of so many hops. */
export interface MetapathChoice {
  from: string;
  to: string;
  metapath: string | null;
  hops: number;
  draws: number;
  seed: number;
}

/** Of the whole version, whatever year the address has. */
export function metapathTestQuery(where: GraphRef, choice: MetapathChoice) {
  const url = apiUrl(graphApiUrl(where, "/metapath-test"), { ...choice, snapshot: where.snapshot });
  return readQuery<MetapathTest>(graphKey(where, "metapath-test", choice), url, { enabled: choice.from !== choice.to });
}

export function startMetapathTest(where: GraphRef, { metapath, ...choice }: MetapathChoice): Promise<Job> {
  const url = apiUrl(graphApiUrl(where, "/metapath-test"), { snapshot: where.snapshot });
  return request<Job>(url, { method: "POST", json: { ...choice, metapath: metapath ?? "" } });
}

export function subgraphQuery(where: GraphRef, ids: string[]) {
  return queryOptions({
    queryKey: graphKey(where, "subgraph", ids.toSorted(), where.until),
    queryFn: ({ signal }) =>
      request<Subgraph>(apiUrl(graphApiUrl(where, "/subgraph"), { snapshot: where.snapshot }), {
        method: "POST", json: where.until ? { ids, first_seen_until: where.until } : { ids }, signal,
      }),
    enabled: ids.length > 0,
    ...IMMUTABLE_QUERY,
  });
}

export type ExportFormat = "csv" | "json" | "graphml" | "kgx";
/** What every server and proxy on the way takes as an address. */
const MAX_URL_CHARACTERS = 2000;

/** Some entities with the edges among them, or one with its own edges. */
export type ExportSelection = { ids: string[] } | { around: string };

/** The request for a file; many entities go in the body, for an address holds only so much. */
export function exportRequest(where: GraphRef, format: ExportFormat, part: ExportSelection): { url: string; json?: unknown } {
  const path = graphApiUrl(where, "/export");
  const whole = apiUrl(path, { format, ...part, snapshot: where.snapshot });
  if (whole.length <= MAX_URL_CHARACTERS || "around" in part) return { url: whole };
  return { url: apiUrl(path, { snapshot: where.snapshot }), json: { format, ids: part.ids } };
}

export function saveView(where: GraphRef, title: string, state: ViewState): Promise<SavedView> {
  return request<SavedView>(graphApiUrl(where, "/views"), { method: "POST", json: { title, state, snapshot: where.snapshot } });
}

export function viewQuery(id: string) {
  return readQuery<SavedView>(["graph-views", id], `${API_BASE}/views/${encodeURIComponent(id)}`, IMMUTABLE_QUERY);
}

export const schemaQuery = (where: GraphRef) =>
  readQuery<GraphSchema>(graphKey(where, "schema"), apiUrl(graphApiUrl(where, "/schema"), { snapshot: where.snapshot }), IMMUTABLE_QUERY);

export const profileQuery = (where: GraphRef) =>
  readQuery<DegreeProfile>(graphKey(where, "profile"), apiUrl(graphApiUrl(where, "/profile"), { snapshot: where.snapshot }), IMMUTABLE_QUERY);

export const networksQuery = (slugs: string[]) =>
  readQuery<NetworkComparison>(["networks", ...slugs], `${API_BASE}/network-comparison?${slugs.map((slug) => `graph=${encodeURIComponent(slug)}`).join("&")}`);
