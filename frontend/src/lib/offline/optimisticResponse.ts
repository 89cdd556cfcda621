/** The response that the page shows while writes wait to be sent. */
import type { Response } from "@/api/contract";
import { isSamePayload } from "./payloadComparison";
import type { QueuedWrite } from "./types";

type PendingWrite = Pick<QueuedWrite, "kind" | "write" | "queuedAt">;

/** The server's response with the queued writes applied, in the status that each will have. */
export function applyQueuedWrites(response: Response, queue: PendingWrite[]): Response {
  return queue.reduce(applyWrite, response);
}

function applyWrite(response: Response, pending: PendingWrite): Response {
  const { write, queuedAt } = pending;
  const result = resultOf(response, pending);
  return {
    ...response,
    ...result,
    payload: write.payload,
    active_ms: response.active_ms + write.active_ms,
    updated_at: queuedAt,
    submitted:
      write.action === "save"
        ? response.submitted
        : { number: (response.submitted?.number ?? 0) + 1, outcome: result.outcome, submitted_at: queuedAt },
  };
}

/** The server's own rule, so that the page shows now what the server will answer. */
function resultOf(response: Response, { kind, write }: PendingWrite): Pick<Response, "status" | "outcome"> {
  if (write.action === "submit") return { status: "submitted", outcome: write.outcome };
  if (write.action === "skip") return { status: "skipped", outcome: "skipped" };
  const { status, outcome } = response;
  return isSamePayload(kind, response.payload, write.payload) ? { status, outcome } : { status: "draft", outcome: "" };
}
