/** What is read of a graph by whatever shows one: its versions, its entities, the search. */
import { queryOptions } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { readListQuery, readQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];

export type Version = Schemas["Version"];
export type Graph = Schemas["Graph"];
export type GraphDetail = Schemas["GraphDetail"];
export type EntityBrief = Schemas["EntitySummary"];
export type SearchHit = Schemas["Result"];
export type SearchResult = Schemas["Search"];
export type SearchMode = "names" | "documents" | "hybrid";

/** One relation of an entity, on one side; a symmetric one is read on both as one. */
export type RelationCount = Schemas["EntityRelation"];

export type Entity = Schemas["Entity"];

export type EntityStep = Schemas["PathEntity"];
export type EdgeStep = Schemas["Step"];
export type Step = Schemas["PathStep"];
export type GraphPath = Schemas["Path"];
export type Paths = Schemas["Paths"];

export const API_BASE = "/api/v1";
/** A version never changes: what was read of it stays true as long as the page is open. */
export const IMMUTABLE_QUERY = { staleTime: Infinity, gcTime: 600_000 };

/** Which graph, and which of its versions (the newest where none is named). */
export interface GraphRef {
  slug: string;
  snapshot: string | null;
  /** Only edges first seen until this year or PMID; the graph states which it is. */
  until?: number | null;
}

type Value = string | number | boolean | null | undefined;

export function apiUrl(path: string, values: Record<string, Value | string[]>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) {
      for (const one of value) query.append(name, one);
    } else if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

export function graphApiUrl({ slug }: GraphRef, rest = ""): string {
  return `${API_BASE}/graphs/${encodeURIComponent(slug)}${rest}`;
}

export function entityApiUrl(where: GraphRef, id: string, rest = ""): string {
  return graphApiUrl(where, `/entities/${encodeURIComponent(id)}${rest}`);
}

export const graphKey = (where: GraphRef, ...rest: unknown[]) => ["graphs", where.slug, where.snapshot, ...rest];

export const graphsQuery = readListQuery<Graph>(["graphs"], `${API_BASE}/graphs`, { staleTime: 60_000 });

export function graphQuery(slug: string) {
  return readQuery<GraphDetail>(["graph", slug], graphApiUrl({ slug, snapshot: null }), { staleTime: 60_000 });
}

interface SearchParams {
  q: string;
  types: string[];
  mode: SearchMode;
  limit: number;
}

export function searchQuery(where: GraphRef, { q, types, mode, limit }: SearchParams) {
  const url = apiUrl(graphApiUrl(where, "/search"), { q, types, mode, limit, snapshot: where.snapshot });
  const key = graphKey(where, "search", q, types, mode, limit);
  return readQuery<SearchResult>(key, url, { enabled: q.trim() !== "", staleTime: 60_000 });
}

export function entityQuery(where: GraphRef, id: string) {
  return queryOptions({
    queryKey: graphKey(where, "entity", id),
    queryFn: async ({ signal }) => {
      const path = apiUrl(entityApiUrl(where, id), { snapshot: where.snapshot });
      const entity = await request<Entity>(path, { signal });
      return { ...entity, relations: mergeSymmetricRelations(entity.relations) };
    },
    ...IMMUTABLE_QUERY,
  });
}

/** The two sides of a symmetric relation are one thing to a reader: its count is their sum. */
function mergeSymmetricRelations(relations: RelationCount[]): RelationCount[] {
  const merged = new Map<string, RelationCount>();
  for (const side of relations) {
    const name = side.symmetric ? side.relation : `${side.outgoing} ${side.relation}`;
    const other = merged.get(name);
    merged.set(name, other ? { ...other, outgoing: true, count: other.count + side.count } : side);
  }
  return [...merged.values()];
}

export type Surprise = components["schemas"]["Surprise"];

export function surprisesQuery(where: GraphRef) {
  const url = apiUrl(graphApiUrl(where, "/surprises"), { snapshot: where.snapshot });
  return readQuery<components["schemas"]["Surprises"]>(graphKey(where, "surprises"), url, IMMUTABLE_QUERY);
}

export function isEntityStep(step: Step): step is EntityStep {
  return "entity" in step;
}

/** The name of the entity at a place of the path; empty where an edge stands. */
export function stepName({ steps }: GraphPath, at: number): string {
  const step = steps[at];
  return step && isEntityStep(step) ? step.entity.name : "";
}
