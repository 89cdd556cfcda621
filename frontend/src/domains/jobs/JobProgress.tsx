import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { ProgressBar } from "@/components/ProgressBar";
import { formatPlural, formatTimeLeft } from "@/lib/format";
import { useMutation } from "@/lib/useMutation";
import { useNow } from "@/lib/useNow";
import styles from "./JobProgress.module.css";
import { cancelJob, jobKey, JOBS_KEY, type Job, type JobState } from "./jobs";

export const JOB_STATE_LABELS: Record<JobState, string> = {
  queued: "Waiting for a worker",
  running: "Running",
  succeeded: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

type AnyJob = Job<unknown, unknown>;

interface Props {
  job: AnyJob;
  /** The job in a few words: "Vectors, in Hetionet". */
  title: string;
  /** What cancelling loses, shown before it is confirmed. */
  cancelWarning: ReactNode;
}

/** The progress of a job that has not ended, with a button to cancel it. */
export function JobProgress({ job, title, cancelWarning }: Props) {
  const now = useNow(job.estimated_end_at !== null, TICK_MS);
  return (
    <div className={styles.progress}>
      <ProgressBar label={`Progress: ${title}`} value={Math.floor(job.percent)} total={100} />
      <div className={styles.line}>
        <p role="status">{progressText(job, now)}</p>
        {job.can_cancel && <CancelJobButton job={job} title={title} warning={cancelWarning} />}
      </div>
    </div>
  );
}

/** 'Running: second hop, 41%, about 2 min left', or 'Waiting for a worker, 3 jobs before it'. */
function progressText({ state, phase, percent, estimated_end_at: end, jobs_before: before }: AnyJob, now: number): string {
  if (state === "queued" && before !== null) return `${JOB_STATE_LABELS.queued}, ${before === 0 ? "next in its queue" : `${formatPlural(before, "job")} before it`}`;
  if (state !== "running") return JOB_STATE_LABELS[state];
  const left = end === null ? 0 : Date.parse(end) - now;
  return `${JOB_STATE_LABELS.running}${phase ? `: ${phase}` : ""}, ${Math.floor(percent)}%${left > 0 ? `, ${formatTimeLeft(left)}` : ""}`;
}

const TICK_MS = 5_000;

/** A job that ended in the meantime cannot be cancelled; its result is read instead. */
function CancelJobButton({ job: { id }, title, warning }: { job: AnyJob; title: string; warning: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const cancellation = useMutation({
    mutationFn: () => cancelJob<AnyJob>(id),
    onSuccess: (cancelled) => queryClient.setQueryData(jobKey(id), cancelled),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: JOBS_KEY }),
  });
  return (
    <>
      <Button onPress={() => setOpen(true)} aria-label={`Cancel: ${title}`}>Cancel</Button>
      <ConfirmDialog
        title={`Cancel ${title}?`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        confirmLabel="Cancel the job"
        busyLabel="Cancelling"
        cancelLabel="Continue the job"
        onConfirm={() => cancellation.mutate()}
        mutation={cancellation}
      >
        <p>{warning}</p>
      </ConfirmDialog>
    </>
  );
}
