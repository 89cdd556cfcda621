import { call, csrfToken } from "@/api/client";
import type { Response } from "@/api/contract";
import type { QueuedWrite } from "./queue";

/** Small writes outlive the page that sent them; browsers allow 64 kB for all of these together. */
const KEEPALIVE_CHARACTERS = 15_000;

export function put(item: QueuedWrite, timeoutMs: number): Promise<Response> {
  return call<Response>(`/api/v1/assignments/${item.assignment}/response`, {
    method: "PUT",
    json: item.write,
    idempotencyKey: item.key,
    csrf: csrfToken(),
    timeoutMs,
    keepalive: JSON.stringify(item.write).length < KEEPALIVE_CHARACTERS,
  });
}
