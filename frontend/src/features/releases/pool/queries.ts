import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { releaseUrl } from "@/domains/evaluation/queries";
import { readQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";

type Schemas = components["schemas"];
export type PoolOverview = Schemas["AnswerPool"];
export type AnswerToJudge = Schemas["AnswerToJudge"];
export type PoolSummary = Schemas["PoolSummary"];
export type StudyOfPool = Schemas["StudyOfPool"];
type Job = Schemas["Job"];
type StartedVerdicts = Schemas["StartedVerdicts"];
type CreatedPoolStudy = Schemas["CreatedPoolStudy"];

export interface NewPoolStudy {
  name: string;
  kind: string;
  overlap: number;
  limit: number;
  adaptive_share: number;
}

const poolKey = (slug: string) => ["releases", slug, "pool"];

export const poolQuery = (slug: string, split: string) =>
  readQuery<PoolOverview>([...poolKey(slug), split], `${releaseUrl(slug)}/pool?split=${split}`);

function useReadPoolAgain(slug: string) {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: poolKey(slug) });
}

export function usePoolAnswers(slug: string, split: string) {
  return useMutation({
    mutationFn: () => request<Job>(`${releaseUrl(slug)}/pool`, { method: "POST", json: { split } }),
    onSuccess: useReadPoolAgain(slug),
  });
}

export function useMakeStudy(slug: string, split: string) {
  return useMutation({
    mutationFn: (study: NewPoolStudy) =>
      request<CreatedPoolStudy>(`${releaseUrl(slug)}/pool/studies`, { method: "POST", json: { split, ...study } }),
    onSuccess: useReadPoolAgain(slug),
  });
}

export function useApplyVerdicts(slug: string, study: string) {
  return useMutation({
    mutationFn: (isPartial: boolean) =>
      request<StartedVerdicts>(`${releaseUrl(slug)}/pool/studies/${study}/verdicts`, { method: "POST", json: { is_partial: isPartial } }),
  });
}
