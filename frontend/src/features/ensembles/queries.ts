import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { useMutation } from "@/lib/useMutation";
import { useWriteKey } from "@/lib/useWriteKey";

type Schemas = components["schemas"];
export type Ensemble = Schemas["Ensemble"];
export type NewEnsemble = Schemas["NewEnsembleRequest"];

export const ENSEMBLES_URL = "/api/v1/candidate-ensembles";
export const ENSEMBLES_KEY = ["candidate-ensembles"];

/** A repeated press makes no second ensemble. */
export function useCreateEnsemble() {
  const queries = useQueryClient();
  const { keyOf, forget } = useWriteKey();
  return useMutation({
    mutationFn: (json: NewEnsemble) => request<Ensemble>(ENSEMBLES_URL, { method: "POST", json, idempotencyKey: keyOf(JSON.stringify(json)) }),
    onSuccess: forget,
    onSettled: () => queries.invalidateQueries({ queryKey: ENSEMBLES_KEY }),
  });
}

/** What was answered is not requested again. */
export function useResumeEnsemble(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (budget: string) => request<Ensemble>(`${ENSEMBLES_URL}/${encodeURIComponent(id)}/resume`, { method: "POST", json: { budget } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ENSEMBLES_KEY }),
  });
}
