/** What an unsuccessful request means for the queue. */
import { NetworkError, Problem } from "@/api/client";
import type { Response } from "@/api/contract";
import type { BlockReason } from "./types";

type ErrorClass =
  /** No request gets through now. */
  | { kind: "unavailable" }
  /** This request failed in the server; another may not. */
  | { kind: "server_error" }
  | { kind: "signed_out" }
  | { kind: "forbidden" }
  | { kind: "conflict"; current: Response }
  | { kind: "rejected"; reason: BlockReason };

const UNAVAILABLE_STATUSES = new Set([408, 425, 429, 502, 503, 504]);

export function classifyError(error: unknown): ErrorClass {
  if (error instanceof NetworkError) return { kind: "unavailable" };
  if (!(error instanceof Problem)) throw error;
  const { status, code, detail: message } = error.body;
  if (UNAVAILABLE_STATUSES.has(status)) return { kind: "unavailable" };
  if (status >= 500) return { kind: "server_error" };
  if (status === 401) return { kind: "signed_out" };
  if (status === 403 || status === 404) return { kind: "forbidden" };
  if (code === "study_closed" || code === "study_frozen") return { kind: "rejected", reason: { kind: "closed", message } };
  if (code === "study_paused" || code === "study_draft") return { kind: "rejected", reason: { kind: "paused", message } };
  if (code === "stale_version") return { kind: "conflict", current: error.body.server_version as Response };
  return { kind: "rejected", reason: { kind: "refused", message: messageWithFieldErrors(error) } };
}

function messageWithFieldErrors(problem: Problem): string {
  return [problem.body.detail, ...problem.body.errors.map((error) => error.message)].join(" ");
}
