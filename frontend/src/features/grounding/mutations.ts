import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { request } from "@/api/client";
import { groundingKey, GROUNDINGS_KEY, GROUNDINGS_URL, type Grounding, type GroundingFileResult, type NewGrounding } from "./queries";

/** A repeated press makes no second grounding. */
export function useCreateGrounding() {
  const queries = useQueryClient();
  const sent = useRef({ text: "", key: "" });
  return useMutation({
    mutationFn: (json: NewGrounding) => {
      const text = JSON.stringify(json);
      if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
      return request<Grounding>(GROUNDINGS_URL, { method: "POST", json, idempotencyKey: sent.current.key });
    },
    onSuccess: (grounding) => {
      sent.current = { text: "", key: "" };
      queries.setQueryData(groundingKey(grounding.id), grounding);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [...GROUNDINGS_KEY, "own"] }),
  });
}

type FileSettings = Omit<NewGrounding, "hypothesis" | "rationale">;

export function useCreateFromFile() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ file, settings }: { file: File; settings: FileSettings }) => {
      const form = new FormData();
      form.set("file", file);
      for (const [name, value] of Object.entries(settings)) if (value !== null && value !== undefined) form.set(name, String(value));
      return request<GroundingFileResult>(`${GROUNDINGS_URL}/files`, { method: "POST", form });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [...GROUNDINGS_KEY, "own"] }),
  });
}

export function useSetPublic(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isPublic: boolean) => request<Grounding>(`${GROUNDINGS_URL}/${id}`, { method: "PATCH", json: { is_public: isPublic } }),
    onSuccess: (grounding) => queries.setQueryData(groundingKey(id), grounding),
  });
}
