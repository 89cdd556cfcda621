import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { request } from "@/api/client";
import { registerModel } from "@/domains/evaluation/registerModel";
import { runKey, type NewRun, type Run } from "./queries";

interface Entry {
  run: Omit<NewRun, "model">;
  /** Empty for a new model. */
  model: string;
  newModel: string;
  /** Each is a run; 1 is a run that is no sample. */
  samples: number;
  onRegistered: (slug: string) => void;
}

/** Registers the model first where it is new. Gives the first run. A repeated press makes no second run of a sample. */
export function useCreateRuns() {
  const queries = useQueryClient();
  const keys = useRef(new Map<string, string>());
  const send = async (json: NewRun) => {
    const text = JSON.stringify(json);
    const key = keys.current.get(text) ?? crypto.randomUUID();
    keys.current.set(text, key);
    return request<Run>("/api/v1/runs", { method: "POST", json, idempotencyKey: key });
  };
  return useMutation({
    mutationFn: async ({ run, model, newModel, samples, onRegistered }: Entry) => {
      const slug = model || (await registerModel(queries, { name: newModel, isForTeam: false, onRegistered }));
      const first = await send({ ...run, model: slug, settings: { ...run.settings, ...(samples > 1 && { sample: 1 }) } });
      for (let sample = 2; sample <= samples; sample++) await send({ ...run, model: slug, settings: { ...run.settings, sample } });
      return first;
    },
    onSuccess: (run) => {
      keys.current.clear();
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
