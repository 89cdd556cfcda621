import type { VerifierAgreement } from "@/domains/evaluation/groundedness";
import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { readQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";
import { groundingKey, GROUNDINGS_URL } from "../queries";

type Schemas = components["schemas"];
export type GroundingBatch = Schemas["GroundingBatch"];
export type Corrected = Schemas["CorrectedGroundedness"];
export type Figure = Schemas["IntervalFigure"];
export type NewClaimStudy = Schemas["NewClaimStudyRequest"];
export type CreatedClaimStudy = Schemas["CreatedClaimStudy"];

export const batchUrl = (id: string) => `/api/v1/grounding-batches/${id}`;
const batchKey = (id: string) => ["grounding-batches", id];

export const batchQuery = (id: string) => readQuery<GroundingBatch>(batchKey(id), batchUrl(id));

export const agreementQuery = (id: string) => readQuery<VerifierAgreement[]>([...groundingKey(id), "agreement"], `${GROUNDINGS_URL}/${id}/agreement`);

export function useMakeClaimStudy(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (study: NewClaimStudy) => request<CreatedClaimStudy>(`${batchUrl(id)}/studies`, { method: "POST", json: study }),
    onSuccess: () => queries.invalidateQueries({ queryKey: batchKey(id) }),
  });
}
