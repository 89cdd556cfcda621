import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { request } from "@/api/client";
import { groundingsKey, groundingsUrl, type NewSubmissionGrounding, type SubmissionGroundings } from "@/domains/evaluation/groundedness";
import { modelsQuery, submissionsQuery, type Split, type Submission, type Validation } from "@/domains/evaluation/queries";
import { registerModel } from "@/domains/evaluation/registerModel";
import { toolSessionKey, toolSessionPath, type ToolSession } from "@/domains/evaluation/toolSessions";
import { useMutation } from "@/lib/useMutation";
import type { Declared } from "./declared";
import { deleteUpload, IN_PARTS_BYTES, uploadInParts } from "./uploadInParts";

interface PredictionFile {
  release: string;
  split: Split;
  file: File;
}

interface Sending {
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** A large file is sent in parts before, and the form names its upload. */
async function predictionForm({ release, split, file }: PredictionFile, { onProgress = () => undefined, ...options }: Sending): Promise<FormData> {
  const form = new FormData();
  form.set("release", release);
  form.set("split", split);
  if (isInParts(file)) form.set("upload", await uploadInParts(file, { onProgress, ...options }));
  else form.set("file", file);
  return form;
}

const isInParts = ({ size }: File) => size >= IN_PARTS_BYTES;

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

/** Files whose submission is under way: what was sent of them stays until its answer. */
const submitting = new WeakSet<File>();

/** Of the file that was chosen last; the returned function is called with each choice. */
function useDeletedUploads() {
  const chosen = useRef<File>(null);
  const choose = useCallback((file: File | null) => {
    const last = chosen.current;
    chosen.current = file;
    if (last && last !== file && !submitting.has(last)) void deleteUpload(last);
  }, []);
  useEffect(() => {
    const close = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) choose(null);
    };
    window.addEventListener("pagehide", close);
    return () => {
      window.removeEventListener("pagehide", close);
      choose(null);
    };
  }, [choose]);
  return choose;
}

/** Another file, or another page, ends the sending of the first and deletes what was sent. */
export function useValidate() {
  const { sent, follow } = useSentShare();
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);
  const choose = useDeletedUploads();
  const mutation = useMutation({
    meta: { isLong: true },
    mutationFn: async (file: PredictionFile) => {
      current.current?.abort();
      choose(file.file);
      current.current = new AbortController();
      const { signal } = current.current;
      const sending = follow(file.file);
      const form = await predictionForm(file, { signal, ...sending });
      return request<Validation>("/api/v1/validations", { method: "POST", form, signal, ...(isInParts(file.file) ? {} : sending) });
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
    meta: { isLong: true },
    mutationFn: async ({ model, newModel, isForTeam, anonymousUntil, declared, session, onRegistered, ...file }: Entry) => {
      const sending = follow(file.file);
      const form = await predictionForm(file, sending);
      form.set("model", model || (await registerModel(queries, { name: newModel, isForTeam, onRegistered })));
      if (session) form.set("session", session);
      if (anonymousUntil) form.set("anonymous_until", new Date(anonymousUntil).toISOString());
      for (const [name, text] of Object.entries(declared)) if (text.trim()) form.set(name, text.trim());
      const submission = await request<Submission>("/api/v1/submissions", { method: "POST", form, ...(isInParts(file.file) ? {} : sending) });
      void deleteUpload(file.file);
      return submission;
    },
    onMutate: ({ file }) => void submitting.add(file),
    onSettled: (_submission, _error, { file }) => {
      submitting.delete(file);
      return Promise.all([
        queries.invalidateQueries(modelsQuery),
        queries.invalidateQueries(submissionsQuery),
        queries.invalidateQueries({ queryKey: ["tool-sessions"] }),
        queries.invalidateQueries({ queryKey: ["releases"] }),
      ]);
    },
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
