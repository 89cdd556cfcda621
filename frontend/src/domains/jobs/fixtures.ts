import type { Job } from "./jobs";

export function makeJob(change: Partial<Job> = {}): Job {
  return {
    id: "j1", kind: "running-sum", state: "running", phase: "second hop", percent: 41.7, estimated_end_at: null, jobs_before: null,
    parameters: {}, subjects: [], details: {}, result: {}, error: null,
    created_at: "2026-11-21T10:00:00Z", started_at: "2026-11-21T10:00:01Z", ended_at: null,
    version: 3, is_owner: true, can_cancel: true,
    ...change,
  };
}
