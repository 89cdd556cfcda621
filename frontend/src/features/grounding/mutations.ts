import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import { useMutation } from "@/lib/useMutation";
import { useWriteKey } from "@/lib/useWriteKey";
import { groundingKey, GROUNDINGS_KEY, GROUNDINGS_URL, type Grounding, type GroundingFileResult, type NewGrounding, type NewProposal, type Proposal, proposalKey, PROPOSALS_URL } from "./queries";

/** A repeated press makes no second grounding. */
export function useCreateGrounding() {
  const queries = useQueryClient();
  const { keyOf, forget } = useWriteKey();
  return useMutation({
    mutationFn: (json: NewGrounding) => request<Grounding>(GROUNDINGS_URL, { method: "POST", json, idempotencyKey: keyOf(JSON.stringify(json)) }),
    onSuccess: (grounding) => {
      forget();
      queries.setQueryData(groundingKey(grounding.id), grounding);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [...GROUNDINGS_KEY, "own"] }),
  });
}

type FileSettings = Omit<NewGrounding, "hypothesis" | "rationale">;

export function useCreateFromFile() {
  const queries = useQueryClient();
  const { keyOf, forget } = useWriteKey();
  return useMutation({
    meta: { isLong: true },
    mutationFn: ({ file, settings }: { file: File; settings: FileSettings }) => {
      const form = new FormData();
      form.set("file", file);
      for (const [name, value] of Object.entries(settings)) if (value !== null && value !== undefined) form.set(name, String(value));
      const idempotencyKey = keyOf(JSON.stringify([file.name, file.size, file.lastModified, settings]));
      return request<GroundingFileResult>(`${GROUNDINGS_URL}/files`, { method: "POST", form, idempotencyKey });
    },
    onSuccess: forget,
    onSettled: () => queries.invalidateQueries({ queryKey: [...GROUNDINGS_KEY, "own"] }),
  });
}

/** A repeated press makes no second request to the model. */
export function useCreateProposal() {
  const { keyOf, forget } = useWriteKey();
  return useMutation({
    mutationFn: (json: NewProposal) => request<Proposal>(PROPOSALS_URL, { method: "POST", json, idempotencyKey: keyOf(JSON.stringify(json)) }),
    onSuccess: forget,
  });
}

/** What was answered is not requested again. */
export function useResumeProposal(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (budget: string) => request<Proposal>(`${PROPOSALS_URL}/${id}/resume`, { method: "POST", json: { budget } }),
    onSuccess: (proposal) => queries.setQueryData(proposalKey(id), proposal),
  });
}

export function useSetPublic(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isPublic: boolean) => request<Grounding>(`${GROUNDINGS_URL}/${id}`, { method: "PATCH", json: { is_public: isPublic } }),
    onSuccess: (grounding) => queries.setQueryData(groundingKey(id), grounding),
  });
}
