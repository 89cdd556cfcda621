import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { request } from "@/api/client";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { releaseUrl, type Release } from "@/domains/evaluation/queries";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded, JOBS_KEY, type Job } from "@/domains/jobs/jobs";
import { useJobs } from "@/domains/jobs/useJob";
import { errorMessage } from "@/lib/errorMessages";
import { maskMethodLabel, SURROUNDINGS } from "@/domains/evaluation/labels";
import { useMutation } from "@/lib/useMutation";
import { releaseGraphsQuery, type ReleaseGraphList } from "./queries";
import styles from "./Releases.module.css";

type GraphJob = Job<{ release: string; method: string }>;

/** For organisers: the masked graphs that are missing, each made by a job. */
export function MakeMaskedGraph({ release: { slug }, list }: { release: Release; list: ReleaseGraphList }) {
  const queries = useQueryClient();
  const jobs = (useJobs<GraphJob>("release-graph").data ?? []).filter(({ details }) => details.release === slug);
  const present = new Set(list.graphs.map(({ method }) => method));
  const missing = list.offered.filter((method) => !present.has(method));
  const latest = (method: string) => jobs.find(({ parameters }) => parameters.method === method);
  const isFinished = missing.some((method) => latest(method)?.state === "succeeded");
  useEffect(() => {
    if (isFinished) void queries.invalidateQueries(releaseGraphsQuery(slug));
  }, [isFinished, queries, slug]);
  const needed = list.needed.filter((method) => !present.has(method));
  if (missing.length === 0) return null;
  return (
    <div className={styles.section}>
      {needed.length > 0 && <Notice tone="warn"><p>The release needs the graph masked by {needed.map(maskMethodLabel).join(", ")}. Make it before you open the release.</p></Notice>}
      {missing.map((method) => <Method key={method} slug={slug} method={method} job={latest(method)} isNeeded={list.needed.includes(method)} />)}
    </div>
  );
}

function Method({ slug, method, job, isNeeded }: { slug: string; method: string; job: GraphJob | undefined; isNeeded: boolean }) {
  const queries = useQueryClient();
  const make = useMutation({
    mutationFn: () => request<GraphJob>(`${releaseUrl(slug)}/graphs`, { method: "POST", json: { method } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: JOBS_KEY }),
  });
  const title = method === SURROUNDINGS ? "graph of the questions' surroundings" : `graph masked by ${maskMethodLabel(method)}`;
  if (job && !hasEnded(job)) return <JobProgress job={job} title={title} cancelWarning="Nothing of the graph is stored. You can start again." />;
  const failure = make.isError ? errorMessage(make.error) : job?.state === "failed" ? job.error?.detail ?? "The job failed." : "";
  return (
    <>
      {failure && <Notice tone="bad"><p>The {title} was not made: {failure}</p></Notice>}
      <div><Button variant={isNeeded ? "primary" : "plain"} onPress={() => make.mutate()} isDisabled={make.isPending}>Make the {title}</Button></div>
    </>
  );
}
