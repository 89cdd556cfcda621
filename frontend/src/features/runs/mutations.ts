import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { request } from "@/api/client";
import { registerModel } from "@/domains/evaluation/registerModel";
import { useMutation } from "@/lib/useMutation";
import { runKey, type NewRun, type Run } from "./queries";

interface Entry {
  run: Omit<NewRun, "model">;
  /** Empty for a new model. */
  model: string;
  newModel: string;
  /** Answers to each item, a run each. */
  samples: number;
  onRegistered: (slug: string) => void;
}

/** Registers the model first where it is new. Gives the first run. A repeated press makes no second one. */
export function useCreateRuns() {
  const queries = useQueryClient();
  const sent = useRef({ text: "", key: "" });
  const send = async (json: NewRun) => {
    const text = JSON.stringify(json);
    if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
    return request<Run>("/api/v1/runs", { method: "POST", json, idempotencyKey: sent.current.key });
  };
  return useMutation({
    mutationFn: async ({ run, model, newModel, samples, onRegistered }: Entry) => {
      const slug = model || (await registerModel(queries, { name: newModel, isForTeam: false, onRegistered }));
      return send({ ...run, model: slug, ...(samples > 1 && { samples }) });
    },
    onSuccess: (run) => {
      sent.current = { text: "", key: "" };
      queries.setQueryData(runKey(run.id), run);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["runs"] }),
  });
}

export type RunStep = { step: "start" | "resume"; budget?: string } | { step: "pause" | "cancel" };

export function useRunStep(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ step, ...json }: RunStep) => request<Run>(`/api/v1/runs/${id}/${step}`, { method: "POST", json }),
    onSuccess: (run) => queries.setQueryData(runKey(id), run),
    onSettled: () => queries.invalidateQueries({ queryKey: ["runs"] }),
  });
}
