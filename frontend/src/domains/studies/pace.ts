/** How long the rest may take: at the expert's own pace, or as planned before that is known. */
import type { ExpertBatch } from "@/api/contract";
import { formatPlural, formatTimeLeft } from "@/lib/format";

const PLANNED_MS = 45_000;
const MIN_TIMED_ANSWERS = 3;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Timed = Pick<ExpertBatch, "answered" | "total" | "median_active_ms">;

/** The mean of the batches' medians, each weighted by its answers. */
function paceMs(batches: Timed[]): number {
  const timed = batches.filter(({ median_active_ms: median }) => median !== null);
  const answers = timed.reduce((sum, { answered }) => sum + answered, 0);
  if (answers < MIN_TIMED_ANSWERS) return PLANNED_MS;
  return timed.reduce((sum, { answered, median_active_ms: median }) => sum + answered * (median ?? 0), 0) / answers;
}

/** 'about 12 minutes left'. */
export function timeLeftLabel(batches: Timed[]): string {
  const left = batches.reduce((sum, { total, answered }) => sum + total - answered, 0) * paceMs(batches);
  if (left >= HOUR_MS) return formatTimeLeft(left);
  return `about ${formatPlural(Math.max(1, Math.round(left / MINUTE_MS)), "minute")} left`;
}
