/** What the study's graph has beside a question; read only once the panel is open. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/generated/schema";
import type { Id } from "@/api/contract";
import { API_BASE, apiUrl, IMMUTABLE_QUERY } from "@/domains/graphs/graphQueries";
import { readQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];

export type PinnedGraph = Schemas["PinnedGraph"];
export type Evidence = Schemas["AssignmentEvidence"];
export type CandidateEvidence = Schemas["CandidateEvidence"];
export type Section = Schemas["Section"];
export type EvidencePathsResult = Schemas["EvidencePaths"];
export type EvidencePapersResult = Schemas["EvidencePapers"];

/** A failure is reported at once; the expert can retry, and a restored network reloads it. */
export const EVIDENCE_QUERY = { ...IMMUTABLE_QUERY, networkMode: "always", retry: false } as const;
/** While names are still looked up, it is read again. */
const RETRY_MS = 3000;

const evidenceUrl = (assignment: Id) => `${API_BASE}/assignments/${assignment}/evidence`;

export function evidenceQuery(assignment: Id, { snapshot }: PinnedGraph) {
  const query = readQuery<Evidence>(["evidence", assignment, snapshot], evidenceUrl(assignment));
  return queryOptions({
    ...query,
    ...EVIDENCE_QUERY,
    refetchInterval: ({ state }) => (state.data?.is_complete === false ? RETRY_MS : false),
  });
}

export function evidencePathsQuery(assignment: Id, { snapshot }: PinnedGraph, candidate: Id, hubs: boolean) {
  const url = apiUrl(`${evidenceUrl(assignment)}/paths`, { candidate, hubs: hubs || null });
  const query = readQuery<EvidencePathsResult>(["evidence", assignment, snapshot, "paths", candidate, hubs], url);
  return { ...query, ...EVIDENCE_QUERY };
}

export function evidencePapersQuery(assignment: Id, { snapshot }: PinnedGraph, candidate: Id) {
  const url = apiUrl(`${evidenceUrl(assignment)}/papers`, { candidate });
  const query = readQuery<EvidencePapersResult>(["evidence", assignment, snapshot, "papers", candidate], url);
  return { ...query, ...EVIDENCE_QUERY };
}
