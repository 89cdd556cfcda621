import type { components } from "@/api/generated/schema";
import { readListQuery, readQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];
export type Grounding = Schemas["Grounding"];
export type GroundingSummary = Schemas["GroundingSummary"];
export type Claim = Schemas["GroundedClaim"];
export type ClaimVerdict = Schemas["ClaimVerdict"];
export type Verdict = ClaimVerdict["verdict"];
export type Source = ClaimVerdict["source"];
export type Evidence = Schemas["VerdictEvidence"];
export type Mention = Schemas["LinkedMention"];
export type ClaimCounts = Schemas["ClaimCounts"];
export type NewGrounding = Schemas["NewGroundingRequest"];
export type GroundingFileResult = Schemas["GroundingFileResult"];
export type Quota = Schemas["GroundingQuota"];
export type UsableEndpoint = Schemas["Endpoint"];

export type Proposal = Schemas["Proposal"];
export type NewProposal = Schemas["NewProposalRequest"];

export const GROUNDINGS_URL = "/api/v1/groundings";
export const GROUNDINGS_KEY = ["groundings"];
const POLL_MS = 1_000;

export const groundingKey = (id: string) => [...GROUNDINGS_KEY, id];

/** Read again while it waits for its verdicts. */
export const groundingQuery = (id: string) => ({
  ...readQuery<Grounding>(groundingKey(id), `${GROUNDINGS_URL}/${id}`),
  refetchInterval: ({ state }: { state: { data: Grounding | undefined } }) => (state.data?.state === "queued" ? POLL_MS : false),
});

export const OWN_KEY = [...GROUNDINGS_KEY, "own"];

export const quotaQuery = readQuery<Quota>([...GROUNDINGS_KEY, "quota"], `${GROUNDINGS_URL}/quota`);

export const endpointsQuery = readListQuery<UsableEndpoint>(["endpoints"], "/api/v1/endpoints");

export const PROPOSALS_URL = "/api/v1/hypothesis-proposals";
export const proposalKey = (id: string) => ["hypothesis-proposals", id];

/** Read again while hypotheses and their groundedness are under way. */
export const proposalQuery = (id: string) => ({
  ...readQuery<Proposal>(proposalKey(id), `${PROPOSALS_URL}/${id}`),
  refetchInterval: ({ state }: { state: { data: Proposal | undefined } }) => (state.data?.state === "queued" || !state.data ? POLL_MS : false),
});
