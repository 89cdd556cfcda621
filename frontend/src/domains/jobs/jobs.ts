/** Background jobs: the REST API under /api/v1/jobs. */
import { request } from "@/api/client";
import type { Id } from "@/api/contract";
import type { components } from "@/api/generated/schema";
import { readListQuery, readQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];
export type JobState = Schemas["JobStateEnum"];

/** Parameters and result depend on the kind. */
export type Job<Parameters = Record<string, unknown>, Result = Record<string, unknown>> =
  Omit<Schemas["Job"], "parameters" | "result"> & { parameters: Parameters; result: Result };

export const JOBS_URL = "/api/v1/jobs";
export const JOBS_KEY = ["jobs"];

export const jobKey = (id: Id | null) => [...JOBS_KEY, "one", id];
export const jobListKey = (kind?: string, subject?: string) => [...JOBS_KEY, "list", kind ?? "", subject ?? ""];

export function hasEnded({ state }: Pick<Job, "state">): boolean {
  return state !== "queued" && state !== "running";
}

export function jobQuery<T extends Job<unknown, unknown> = Job>(id: Id | null) {
  return readQuery<T>(jobKey(id), `${JOBS_URL}/${encodeURIComponent(id ?? "")}`, { enabled: id !== null });
}

/** The latest jobs of the user, the newest first; of all users for administrators. */
export function jobListQuery<T extends Job<unknown, unknown> = Job>(kind?: string, subject?: string) {
  const filter = new URLSearchParams({ ...(kind && { kind }), ...(subject && { subject }) }).toString();
  return readListQuery<T>(jobListKey(kind, subject), filter ? `${JOBS_URL}?${filter}` : JOBS_URL);
}

export function cancelJob<T extends Job<unknown, unknown> = Job>(id: Id): Promise<T> {
  return request<T>(`${JOBS_URL}/${encodeURIComponent(id)}/cancel`, { method: "POST" });
}
