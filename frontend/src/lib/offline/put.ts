import { call, csrfToken } from "@/api/client";
import type { Response } from "@/api/contract";
import type { QueuedWrite } from "./queue";

/** Small writes outlive the page that sent them; browsers allow 64 kB for all of these together. */
const KEEPALIVE_CHARACTERS = 15_000;

export function put({ assignment, write, looks, key }: QueuedWrite, timeoutMs: number): Promise<Response> {
  const { active_ms, events, interface: version } = write;
  const json = looks ? { active_ms, events, interface: version } : write;
  return call<Response>(`/api/v1/assignments/${assignment}/${looks ? "looks" : "response"}`, {
    method: looks ? "POST" : "PUT",
    json,
    idempotencyKey: key,
    csrf: csrfToken(),
    timeoutMs,
    keepalive: JSON.stringify(json).length < KEEPALIVE_CHARACTERS,
  });
}
