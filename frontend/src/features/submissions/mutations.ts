import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import { groundingsKey, groundingsUrl, type NewSubmissionGrounding, type SubmissionGroundings } from "@/domains/evaluation/groundedness";
import { modelsQuery, submissionsQuery, type Split, type Submission, type Validation } from "@/domains/evaluation/queries";
import { registerModel } from "@/domains/evaluation/registerModel";
import type { Declared } from "./declared";

interface PredictionFile {
  release: string;
  split: Split;
  file: File;
}

function predictionForm({ release, split, file }: PredictionFile): FormData {
  const form = new FormData();
  form.set("release", release);
  form.set("split", split);
  form.set("file", file);
  return form;
}

export function useValidate() {
  return useMutation({
    mutationFn: (file: PredictionFile) => request<Validation>("/api/v1/validations", { method: "POST", form: predictionForm(file) }),
  });
}

interface Entry extends PredictionFile {
  /** Empty for a new model. */
  model: string;
  newModel: string;
  /** Whether the new model belongs to the user's team. */
  isForTeam: boolean;
  /** When the board may name the model; empty for at once. */
  anonymousUntil: string;
  declared: Declared;
  /** Of the tool calls; empty for none. */
  session: string;
  /** Called with the slug of a new model as soon as it is registered: the submission may still be refused. */
  onRegistered: (slug: string) => void;
}

/** Registers the model first where it is new. */
export function useSubmit() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ model, newModel, isForTeam, anonymousUntil, declared, session, onRegistered, ...file }: Entry) => {
      const form = predictionForm(file);
      form.set("model", model || (await registerModel(queries, { name: newModel, isForTeam, onRegistered })));
      if (session) form.set("session", session);
      if (anonymousUntil) form.set("anonymous_until", new Date(anonymousUntil).toISOString());
      for (const [name, text] of Object.entries(declared)) if (text.trim()) form.set(name, text.trim());
      return request<Submission>("/api/v1/submissions", { method: "POST", form });
    },
    onSettled: () => Promise.all([
      queries.invalidateQueries(modelsQuery),
      queries.invalidateQueries(submissionsQuery),
      queries.invalidateQueries({ queryKey: ["tool-sessions"] }),
      queries.invalidateQueries({ queryKey: ["releases"] }),
    ]),
  });
}

export function useWithdraw(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => request<Submission>(`/api/v1/submissions/${id}/withdraw`, { method: "POST", json: { reason } }),
    onSuccess: () => Promise.all([
      queries.invalidateQueries({ queryKey: ["submissions"] }),
      queries.invalidateQueries({ queryKey: ["boards"] }),
    ]),
  });
}

export function useChooseFinal(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isFinal: boolean) => request<Submission>(`/api/v1/submissions/${id}/final`, { method: "POST", json: { is_final: isFinal } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["submissions"] }),
  });
}

/** The same settings are grounded once, so that a repeated press does nothing. */
export function useGroundSubmission(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (json: NewSubmissionGrounding) => request<SubmissionGroundings>(groundingsUrl(id), { method: "POST", json }),
    onSuccess: (groundings) => {
      queries.setQueryData(groundingsKey(id), groundings);
      return queries.invalidateQueries({ queryKey: ["boards"] });
    },
  });
}
