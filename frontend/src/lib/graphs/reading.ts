/** What is read of a graph by whatever shows one: its versions, its entities, the search. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { components } from "@/api/generated/schema";

type Schemas = components["schemas"];

export type Version = Schemas["Version"];
export type Graph = Schemas["Graph"];
export type GraphDetail = Schemas["GraphDetail"];
export type EntityBrief = Schemas["Brief"];
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

export const BASE = "/api/v1";
/** A version never changes: what was read of it stays true as long as the page is open. */
export const IMMUTABLE = { staleTime: Infinity, gcTime: 600_000 };

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

export function entityAddress(where: Where, id: string, rest = ""): string {
  return graphAddress(where, `/entities/${encodeURIComponent(id)}${rest}`);
}

export const graphKey = (where: Where, ...rest: unknown[]) => ["graphs", where.slug, where.snapshot, ...rest];

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
    queryKey: graphKey(where, "search", q, types, mode, limit),
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
    queryKey: graphKey(where, "entity", id),
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
