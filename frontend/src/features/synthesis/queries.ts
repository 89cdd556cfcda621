import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { request } from "@/api/client";
import type { CreatedStudy } from "@/api/contract";
import type { components } from "@/api/generated/schema";
import { currentUserQuery } from "@/lib/currentUser";
import { readQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";
import { useWriteKey } from "@/lib/useWriteKey";
import { findQueryComparison } from "@/study-kinds/registry";

type Schemas = components["schemas"];
export type Synthesis = Schemas["Synthesis"];
export type SynthesisOverview = Schemas["SynthesisOverview"];
export type SynthesizedQuery = Schemas["SynthesizedQuery"];
export type NewSynthesis = Schemas["NewSynthesisRequest"];

export const SYNTHESES_URL = "/api/v1/query-syntheses";
export const SYNTHESES_KEY = ["query-syntheses"];
const POLL_MS = 5_000;
const synthesisKey = (id: string) => [...SYNTHESES_KEY, "one", id];

/** Read again while models write and verify; its job is followed for itself. */
export const synthesisQuery = (id: string) => ({
  ...readQuery<Synthesis>(synthesisKey(id), `${SYNTHESES_URL}/${encodeURIComponent(id)}`),
  refetchInterval: ({ state }: { state: { data: Synthesis | undefined } }) => (state.data?.state === "queued" ? POLL_MS : false),
});

/** A repeated press makes no second synthesis. */
export function useCreateSynthesis() {
  const queries = useQueryClient();
  const { keyOf, forget } = useWriteKey();
  return useMutation({
    mutationFn: (json: NewSynthesis) => request<Synthesis>(SYNTHESES_URL, { method: "POST", json, idempotencyKey: keyOf(JSON.stringify(json)) }),
    onSuccess: forget,
    onSettled: () => queries.invalidateQueries({ queryKey: [...SYNTHESES_KEY, "own"] }),
  });
}

/** After the question set was deleted; no model is called. */
export function useRestoreSet(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => request<Synthesis>(`${SYNTHESES_URL}/${encodeURIComponent(id)}/question-set`, { method: "POST" }),
    onSuccess: (synthesis) => queries.setQueryData(synthesisKey(id), synthesis),
  });
}

export interface Comparison {
  study: string;
  mixed: Schemas["MixedQueries"];
}

/** Two requests: sets that were mixed once are not mixed again when the study is refused. */
export function useCreateComparison() {
  const queries = useQueryClient();
  const mixed = useRef<{ of: string; queries: Schemas["MixedQueries"] } | null>(null);
  return useMutation({
    mutationFn: async ({ name, sets }: { name: string; sets: [string, string] }): Promise<Comparison> => {
      const of = sets.join(" ");
      if (mixed.current?.of !== of) {
        const json = { name, question_sets: sets };
        mixed.current = { of, queries: await request<Schemas["MixedQueries"]>("/api/v1/mixed-question-sets", { method: "POST", json }) };
      }
      const { queries: made } = mixed.current;
      const created = await request<CreatedStudy>("/api/v1/studies", { method: "POST", json: { name, kind: findQueryComparison(), question_set: made.question_set } });
      return { study: created.study.id, mixed: made };
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
    onSettled: () => Promise.all([["studies"], ["question-sets"]].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

/** What was answered is not requested again. */
export function useResumeSynthesis(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (budget: string) => request<Synthesis>(`${SYNTHESES_URL}/${encodeURIComponent(id)}/resume`, { method: "POST", json: { budget } }),
    onSuccess: (synthesis) => queries.setQueryData(synthesisKey(id), synthesis),
  });
}
