/** What an unsuccessful write means for the queue. */
import { Problem, Unreachable } from "@/api/client";
import type { Response } from "@/api/contract";
import type { Hold } from "./queue";

export type Verdict =
  /** Nobody gets through now. */
  | { kind: "again" }
  /** This one failed there; another may not. */
  | { kind: "failed" }
  | { kind: "signed_out" }
  | { kind: "who" }
  | { kind: "conflict"; current: Response }
  | { kind: "hold"; why: Hold };

const NOBODY = new Set([408, 425, 429, 502, 503, 504]);

export function verdictOn(error: unknown): Verdict {
  if (error instanceof Unreachable) return { kind: "again" };
  if (!(error instanceof Problem)) throw error;
  const { status, code, detail: sentence } = error.body;
  if (NOBODY.has(status)) return { kind: "again" };
  if (status >= 500) return { kind: "failed" };
  if (status === 401) return { kind: "signed_out" };
  if (status === 403 || status === 404) return { kind: "who" };
  if (code === "study_closed") return { kind: "hold", why: { kind: "closed", sentence } };
  if (code === "stale_version") return { kind: "conflict", current: error.body.current as Response };
  return { kind: "hold", why: { kind: "refused", sentence: withFaults(error) } };
}

export function withFaults(problem: Problem): string {
  return [problem.body.detail, ...problem.body.errors.map((fault) => fault.message)].join(" ");
}
