import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { request } from "@/api/client";
import { groundingsKey, groundingsUrl, type NewSubmissionGrounding, type SubmissionGroundings } from "@/domains/evaluation/groundedness";
import { modelsQuery, submissionsQuery, type Split, type Submission, type Validation } from "@/domains/evaluation/queries";
import { registerModel } from "@/domains/evaluation/registerModel";
import { toolSessionKey, toolSessionPath, type ToolSession } from "@/domains/evaluation/toolSessions";
import { useMutation } from "@/lib/useMutation";
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

/** Of a smaller file, nobody sees the progress. */
export const PROGRESS_BYTES = 2 ** 20;

/** The share of the file that was sent, and what has a request report it. */
function useSentShare() {
  const [sent, setSent] = useState(0);
  const follow = ({ size }: File) => {
    setSent(0);
    return size < PROGRESS_BYTES ? {} : { onProgress: setSent };
  };
  return { sent, follow };
}

/** Another file, or another page, ends the sending of the first. */
export function useValidate() {
  const { sent, follow } = useSentShare();
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);
  const mutation = useMutation({
    mutationFn: (file: PredictionFile) => {
      current.current?.abort();
      current.current = new AbortController();
      const { signal } = current.current;
      return request<Validation>("/api/v1/validations", { method: "POST", form: predictionForm(file), signal, ...follow(file.file) });
    },
  });
  return { ...mutation, sent };
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
  const { sent, follow } = useSentShare();
  const mutation = useMutation({
    mutationFn: async ({ model, newModel, isForTeam, anonymousUntil, declared, session, onRegistered, ...file }: Entry) => {
      const form = predictionForm(file);
      form.set("model", model || (await registerModel(queries, { name: newModel, isForTeam, onRegistered })));
      if (session) form.set("session", session);
      if (anonymousUntil) form.set("anonymous_until", new Date(anonymousUntil).toISOString());
      for (const [name, text] of Object.entries(declared)) if (text.trim()) form.set(name, text.trim());
      return request<Submission>("/api/v1/submissions", { method: "POST", form, ...follow(file.file) });
    },
    onSettled: () => Promise.all([
      queries.invalidateQueries(modelsQuery),
      queries.invalidateQueries(submissionsQuery),
      queries.invalidateQueries({ queryKey: ["tool-sessions"] }),
      queries.invalidateQueries({ queryKey: ["releases"] }),
    ]),
  });
  return { ...mutation, sent };
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

export function useShareSession(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isShared: boolean) => request<ToolSession>(`${toolSessionPath(id)}/sharing`, { method: "POST", json: { is_shared: isShared } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: toolSessionKey(id) }),
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
