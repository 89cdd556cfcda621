/** The requests of the outbox and of the activity log. */
import { csrfToken, request } from "@/api/client";
import type { Response } from "@/api/contract";
import type { ActivityBatch } from "./activityLog";
import type { QueuedWrite } from "./types";

/** Small requests outlive the page that sent them; browsers allow 64 kB for all of these together. */
const MAX_KEEPALIVE_CHARACTERS = 15_000;

export function sendWrite({ resource, write, idempotencyKey }: QueuedWrite, timeoutMs: number): Promise<Response> {
  return request<Response>(`/api/v1/assignments/${resource}/response`, {
    method: "PUT",
    idempotencyKey,
    ...requestOptions(write, timeoutMs),
  });
}

export async function sendActivity(batch: ActivityBatch, timeoutMs: number): Promise<void> {
  const { resource, interface: version, entries } = batch;
  await request(`/api/v1/assignments/${resource}/activity`, {
    method: "POST",
    ...requestOptions({ interface: version, entries }, timeoutMs),
  });
}

function requestOptions(json: object, timeoutMs: number) {
  const keepalive = JSON.stringify(json).length < MAX_KEEPALIVE_CHARACTERS;
  return { json, csrf: csrfToken(), timeoutMs, keepalive };
}
