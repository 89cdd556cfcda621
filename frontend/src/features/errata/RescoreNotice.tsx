import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import type { Release } from "@/domains/evaluation/queries";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded, type Job } from "@/domains/jobs/jobs";
import { useJob } from "@/domains/jobs/useJob";
import { errorMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";

/** For the organiser, where the evaluator has a later version than the scores of the release. */
export function RescoreNotice({ release }: { release: Release }) {
  const queries = useQueryClient();
  const rescore = useMutation({
    mutationFn: () => request<Job>(`/api/v1/releases/${release.slug}/rescore`, { method: "POST" }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["releases"] }),
  });
  const job = useJob(rescore.data?.id ?? null).data;
  if (!release.can_change || release.evaluator_version === release.present_version) return null;
  return (
    <Notice tone="warn">
      <p>The board has scores of evaluator version {release.evaluator_version}; the present one is {release.present_version}.</p>
      {job && !hasEnded(job) && <JobProgress job={job} title="Scoring all entries again" cancelWarning="" />}
      {job?.state === "failed" && <p>{job.error?.detail}</p>}
      {rescore.isError && <p>{errorMessage(rescore.error)}</p>}
      {job?.state === "succeeded" ? <p>All entries are scored again.</p> : (
        <div><Button onPress={() => rescore.mutate()} isDisabled={rescore.isPending || (job !== undefined && !hasEnded(job))}>Score all entries again</Button></div>
      )}
    </Notice>
  );
}
