import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SkeletonRows } from "@/components/SkeletonRows";
import type { Release } from "@/domains/evaluation/queries";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded } from "@/domains/jobs/jobs";
import { useJob } from "@/domains/jobs/useJob";
import { errorMessage } from "@/lib/errorMessages";
import { formatCount, formatPercent, formatPlural, formatRecentDate } from "@/lib/format";
import styles from "../Releases.module.css";
import { AnswerTable } from "./AnswerTable";
import { PoolStudies } from "./PoolStudies";
import { poolQuery, usePoolAnswers, type PoolOverview, type PoolSummary } from "./queries";
import { StudyForm } from "./StudyForm";

const SPLITS = [{ value: "test", label: "Test items" }, { value: "dev", label: "Dev items" }] as const;
type Split = (typeof SPLITS)[number]["value"];

/** Answers that entries rank high and no label covers, for the organiser alone. */
export function UnjudgedSection({ release }: { release: Release }) {
  const hasTest = (release.items.test ?? 0) > 0;
  const hasBoth = hasTest && (release.items.dev ?? 0) > 0;
  const [split, setSplit] = useState<Split>(hasTest ? "test" : "dev");
  const pool = useQuery(poolQuery(release.slug, split));
  if (pool.data && !pool.data.is_pooled) return null;
  return (
    <section className={styles.section} aria-labelledby="unjudged-heading">
      <h2 id="unjudged-heading">Unjudged answers</h2>
      <p className={styles.quiet}>Only organisers see these answers. They are parts of submitted predictions.</p>
      {hasBoth && <div><SegmentedControl label="Split of the unjudged answers" options={[...SPLITS]} value={split} onChange={setSplit} /></div>}
      <QueryBoundary query={pool} skeleton={<SkeletonRows rows={5} />}>
        {(overview) => <Overview release={release} overview={overview} />}
      </QueryBoundary>
    </section>
  );
}

function Overview({ release, overview }: { release: Release; overview: PoolOverview }) {
  const { pool, answers, studies, split } = overview;
  const isChangeable = overview.corrected_by === null && release.state !== "deprecated";
  return (
    <>
      {pool ? <Counts pool={pool} /> : <EmptyState>No answers are pooled yet. Pool them to see what the labels do not cover.</EmptyState>}
      {overview.corrected_by && <Notice><p>A later release corrects this one. <Link to={`/releases/${overview.corrected_by}`}>Judge the answers of that one</Link></p></Notice>}
      {isChangeable && <Pooling release={release} overview={overview} />}
      {pool && pool.unjudged > 0 && answers.length === 0 && <p className={styles.quiet}>Every pooled answer is judged or in a study. Pool again once the board has changed.</p>}
      {pool && answers.length > 0 && <AnswerTable answers={answers} unjudged={pool.unjudged} />}
      {isChangeable && pool && answers.length > 0 && !pool.is_outdated && <StudyForm release={release} split={split} unjudged={pool.unjudged} />}
      {studies.length > 0 && <PoolStudies release={release} studies={studies} isChangeable={isChangeable} />}
    </>
  );
}

function Counts({ pool }: { pool: PoolSummary }) {
  const judged = pool.answers > 0 ? 1 - pool.unjudged / pool.answers : 1;
  return (
    <>
      <p>
        {formatPlural(pool.unjudged, "answer")} of {formatCount(pool.answers)} are unjudged, {formatPercent(judged)} are judged: the first {formatCount(pool.depth)} of{" "}
        {formatPlural(pool.entries, "entry", "entries")}. Pooled {formatRecentDate(pool.created_at)}.
      </p>
      {pool.is_partial && <p className={styles.quiet}>The board has more entries; {formatCount(pool.entries)} are pooled: the best, without those with too many answers.</p>}
      {pool.is_outdated && <Notice tone="warn">The board has changed since. Pool the answers again.</Notice>}
    </>
  );
}

/** The button that pools, or the job that does. */
function Pooling({ release, overview: { job, pool, split } }: { release: Release; overview: PoolOverview }) {
  const start = usePoolAnswers(release.slug, split);
  const active = job && !hasEnded(job) ? job : null;
  const isNeeded = pool === null || pool.is_outdated;
  return (
    <>
      {active && <RunningPool slug={release.slug} split={split} job={active.id} />}
      {!active && job?.state === "failed" && <Notice tone="bad">{job.error?.detail ?? "The answers could not be pooled."} Pool them again.</Notice>}
      {start.isError && <Notice tone="bad">{errorMessage(start.error)}</Notice>}
      {!active && isNeeded && (
        <div><Button variant="primary" onPress={() => start.mutate()} isDisabled={start.isPending}>{start.isPending ? "Pooling" : "Pool the answers"}</Button></div>
      )}
    </>
  );
}

/** Reads the pool again once its job has ended. */
function RunningPool({ slug, split, job: id }: { slug: string; split: string; job: string }) {
  const job = useJob(id).data;
  const { refetch } = useQuery(poolQuery(slug, split));
  const isDone = job !== undefined && hasEnded(job);
  useEffect(() => {
    if (isDone) void refetch();
  }, [isDone, refetch]);
  if (!job) return <SkeletonRows rows={1} />;
  return <JobProgress job={job} title="Pooling answers" cancelWarning="The answers are not pooled." />;
}
