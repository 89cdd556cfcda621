/** What an answer is, apart from its history; and what the page shows while writes wait. */
import type { Ranking, Response } from "@/api/contract";
import type { QueuedWrite } from "./queue";

export type Answer = Pick<Response, "ranking" | "confidence" | "reasons" | "comment" | "unsure_reason">;

/** Her own answer over the server's, in the state it will have. */
export function overlay(response: Response, queue: Waiting[]): Response {
  return queue.reduce(applied, response);
}

type Waiting = Pick<QueuedWrite, "write" | "queuedAt" | "looks">;

function applied(response: Response, { write, queuedAt, looks }: Waiting): Response {
  if (looks) return { ...response, active_ms: response.active_ms + write.active_ms };
  const state = stateAfter(response, write);
  const submits = write.action !== "save";
  return {
    ...response,
    state,
    ranking: write.ranking,
    confidence: write.confidence,
    reasons: write.reasons,
    comment: write.comment,
    unsure_reason: keepsReason(write.action) ? write.unsure_reason : "",
    active_ms: response.active_ms + write.active_ms,
    updated_at: queuedAt,
    submitted: submits
      ? { number: (response.submitted?.number ?? 0) + 1, state, submitted_at: queuedAt }
      : response.submitted,
  };
}

const keepsReason = (action: QueuedWrite["write"]["action"]) => action === "save" || action === "not_sure";

/** The server's own rule, so that the page says now what the server will say. */
function stateAfter(response: Response, write: QueuedWrite["write"]): Response["state"] {
  const submitted = { agree: "confirmed", submit: "changed", not_sure: "not_sure", skip: "skipped" } as const;
  if (write.action !== "save") return submitted[write.action];
  return sameAnswer(response, write) ? response.state : "draft";
}

export function sameAnswer(one: Answer, other: Answer): boolean {
  return content(one) === content(other);
}

function content({ ranking, confidence, reasons, comment, unsure_reason }: Answer): string {
  const groups = ranking.map((group: Ranking[number]) => group.toSorted());
  return JSON.stringify([groups, confidence, [...new Set(reasons)].toSorted(), comment, unsure_reason]);
}
