/** What the study's graph says beside a question; read only once the panel is open. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { components } from "@/api/generated/schema";
import type { Id } from "@/api/contract";

type Schemas = components["schemas"];

export type PinnedGraph = Schemas["PinnedGraph"];
export type Evidence = Schemas["AssignmentEvidence"];
export type CandidateEvidence = Schemas["CandidateEvidence"];
export type Named = Schemas["Named"];
export type Section = Schemas["Section"];
export type EdgeStep = Schemas["StepBody"];
export type EntityStep = { entity: Schemas["Brief"] };
/** A path's turns: the schema gives them as one shape with everything optional. */
export type GraphPath = Omit<Schemas["PathBody"], "steps"> & { steps: (EntityStep | EdgeStep)[] };
export type Paths = Omit<Schemas["PathsAnswer"], "paths"> & { paths: GraphPath[] };
export type FoundPaths = Omit<Schemas["EvidencePaths"], "paths"> & { paths: Paths | null };

/**
 * A version never changes: what was read of it stays true as long as the page is open. Not having
 * it is said at once, and she tries again if she wants it; with the network back it is read anew.
 */
const IMMUTABLE = { staleTime: Infinity, gcTime: 600_000, networkMode: "always", retry: false } as const;
/** While names are still looked up, it is asked again. */
const AGAIN_MS = 3000;

const base = (assignment: Id) => `/api/v1/assignments/${assignment}/evidence`;

export function evidenceQuery(assignment: Id, { snapshot }: PinnedGraph) {
  return queryOptions({
    queryKey: ["evidence", assignment, snapshot],
    queryFn: ({ signal }) => call<Evidence>(base(assignment), { signal }),
    ...IMMUTABLE,
    refetchInterval: ({ state }) => (state.data && !state.data.is_complete ? AGAIN_MS : false),
  });
}

export function evidencePathsQuery(assignment: Id, { snapshot }: PinnedGraph, candidate: Id, hubs: boolean) {
  const query = new URLSearchParams({ candidate, ...(hubs && { hubs: "true" }) });
  return queryOptions({
    queryKey: ["evidence", assignment, snapshot, "paths", candidate, hubs],
    queryFn: ({ signal }) => call<FoundPaths>(`${base(assignment)}/paths?${query}`, { signal }),
    ...IMMUTABLE,
  });
}

/** All sections of an entity's document, as the explorer has them. */
export function documentQuery({ slug, snapshot }: PinnedGraph, id: string) {
  const path = `/api/v1/graphs/${encodeURIComponent(slug)}/entities/${encodeURIComponent(id)}`;
  return queryOptions({
    queryKey: ["graphs", slug, snapshot, "entity", id],
    queryFn: ({ signal }) => call<Schemas["Entity"]>(`${path}?${new URLSearchParams({ snapshot })}`, { signal }),
    ...IMMUTABLE,
  });
}

/** The explorer's page of an entity, as it was in the version that the study shows. */
export function explorerPlace({ slug, snapshot }: PinnedGraph, id: string): string {
  const escaped = encodeURIComponent(id).replaceAll("%3A", ":");
  return `/explore/${encodeURIComponent(slug)}/e/${escaped}?${new URLSearchParams({ snapshot })}`;
}
