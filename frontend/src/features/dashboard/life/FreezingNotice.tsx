import type { Dashboard } from "@/api/contract";
import { Notice } from "@/components/Notice";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded, type Job } from "@/domains/jobs/jobs";
import { formatRecentDate } from "@/lib/format";
import { useNow } from "@/lib/useNow";
import { useFreezing } from "./useFreezing";

const HOUR_MS = 3_600_000;
const SHOWN_MS = 7 * 24 * HOUR_MS;

type DashboardStudy = Dashboard["study"];

/** On the dashboard of a closed study: a freezing under way, and for a week how it failed or was cancelled. */
export function FreezingNotice({ study }: { study: DashboardStudy }) {
  const now = useNow(true, HOUR_MS);
  const job = useFreezing(study.id);
  if (!job) return null;
  if (!hasEnded(job)) return <FreezingProgress study={study} job={job} />;
  return now - Date.parse(job.ended_at ?? job.created_at) < SHOWN_MS && <FreezingOutcome job={job} />;
}

export function FreezingProgress({ study, job }: { study: DashboardStudy; job: Job }) {
  return <JobProgress job={job} title={`Freezing of ${study.name}`} cancelWarning="The study stays closed, and is not frozen." />;
}

export function FreezingOutcome({ job: { state, error, ended_at: endedAt } }: { job: Job }) {
  const when = endedAt ? ` ${formatRecentDate(endedAt)}` : "";
  if (state === "failed") return <Notice tone="bad">The freezing failed{when}. {error?.detail}</Notice>;
  return state === "cancelled" && <Notice>The freezing was cancelled{when}. The study is not frozen.</Notice>;
}
