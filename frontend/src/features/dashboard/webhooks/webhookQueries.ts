import { useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { AddedWebhook, Id, NewWebhook, StudyWebhooks, WebhookDelivery, WebhookEvent } from "@/api/contract";
import { useMutation } from "@/lib/useMutation";
import { POLL_MS } from "../queries";

const path = (study: Id) => `/api/v1/studies/${study}/webhooks`;
const key = (study: Id) => ["webhooks", study];
const BUSY_POLL_MS = 2_000;

export const EVENT_LABELS: Record<WebhookEvent, string> = {
  "study.opened": "The study is opened",
  "study.paused": "The study is paused",
  "study.closed": "The study is closed",
  "study.frozen": "The study is frozen",
  "answer.submitted": "An answer is submitted",
  "batch.completed": "A batch has all its answers",
  "thread.message": "A message in a thread",
  "adjudication.submitted": "A question is adjudicated",
};

/** Read again sooner while the first attempt of a delivery is under way. */
export function useWebhooks(study: Id) {
  return useQuery({
    queryKey: key(study),
    queryFn: () => request<StudyWebhooks>(path(study)),
    refetchInterval: ({ state }) => (state.data?.webhooks.some(({ deliveries }) => deliveries.some(isStarting)) ? BUSY_POLL_MS : POLL_MS),
  });
}

const isStarting = ({ state, error }: WebhookDelivery) => state === "waiting" && error === "";

function useWebhookMutation<Input, Result>(study: Id, send: (input: Input) => Promise<Result>, onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: async (_, error) => {
      await queries.invalidateQueries({ queryKey: key(study) });
      if (error === null) onDone?.();
    },
  });
}

export const useAddWebhook = (study: Id) =>
  useWebhookMutation(study, (json: NewWebhook) => request<AddedWebhook>(path(study), { method: "POST", json }));

export const useRemoveWebhook = (study: Id, onDone: () => void) =>
  useWebhookMutation(study, (webhook: Id) => request<null>(`/api/v1/webhooks/${webhook}`, { method: "DELETE" }), onDone);

export const useTestWebhook = (study: Id) =>
  useWebhookMutation(study, (webhook: Id) => request<null>(`/api/v1/webhooks/${webhook}/test`, { method: "POST" }));

export const useRepeatDelivery = (study: Id) =>
  useWebhookMutation(study, (delivery: Id) => request<null>(`/api/v1/webhook-deliveries/${delivery}/repeat`, { method: "POST" }));
