import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { ProgressBar } from "@/components/ProgressBar";
import { SkeletonRows } from "@/components/SkeletonRows";
import type { Release } from "@/domains/evaluation/queries";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded } from "@/domains/jobs/jobs";
import { useJob } from "@/domains/jobs/useJob";
import { errorMessage } from "@/lib/errorMessages";
import { formatCount, formatPlural } from "@/lib/format";
import styles from "../Releases.module.css";
import { useApplyVerdicts, type StudyOfPool } from "./queries";

interface Props {
  release: Release;
  studies: StudyOfPool[];
  isChangeable: boolean;
}

/** What was judged so far, and the corrected release that it becomes. */
export function PoolStudies({ release, studies, isChangeable }: Props) {
  return (
    <>
      <h3>Studies of these answers</h3>
      {studies.map((study) => <StudyCard key={study.id} release={release} study={study} isChangeable={isChangeable} />)}
    </>
  );
}

function StudyCard({ release, study, isChangeable }: { release: Release; study: StudyOfPool; isChangeable: boolean }) {
  const { verdicts: counts, corrected_as: corrected } = study;
  const judged = counts.questions - counts.waiting;
  return (
    <article className={styles.section} aria-label={study.name}>
      <h4><Link to={`/studies/${study.id}`}>{study.name}</Link></h4>
      <ProgressBar label={`Judged answers of ${study.name}`} value={judged} total={counts.questions} />
      <p>
        {formatCount(judged)} of {formatPlural(counts.questions, "answer")} judged: {formatCount(counts.true)} true, {formatCount(counts.false)} false, {formatCount(counts.undecided)} undecided.
      </p>
      {corrected && <p><Link to={`/releases/${corrected}`}>The corrected release</Link> has these verdicts. <Link to={`/releases/${corrected}/changes`}>See the rank changes</Link></p>}
      {!corrected && isChangeable && <Apply release={release} study={study} decided={counts.true + counts.false} waiting={counts.waiting} />}
    </article>
  );
}

function Apply({ release, study, decided, waiting }: { release: Release; study: StudyOfPool; decided: number; waiting: number }) {
  const [isConfirming, setConfirming] = useState(false);
  const apply = useApplyVerdicts(release.slug, study.id);
  if (apply.data) {
    const { release: slug, job, dropped } = apply.data;
    return (
      <>
        {dropped > 0 && <Notice>{formatPlural(dropped, "verdict")} false on true answers of the release {dropped === 1 ? "was" : "were"} left out.</Notice>}
        <Scoring slug={slug} job={job.id} />
      </>
    );
  }
  return (
    <>
      {apply.isError && <Notice tone="bad">{errorMessage(apply.error)}</Notice>}
      <FormActions>
        <Button variant="primary" isDisabled={decided === 0 || apply.isPending} onPress={() => setConfirming(true)}>{apply.isPending ? "Applying" : "Apply verdicts"}</Button>
      </FormActions>
      {decided === 0 && <p className={styles.quiet}>There is no decided verdict yet. Wait for more answers.</p>}
      <ConfirmDialog
        title="Apply the verdicts?"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        confirmLabel={waiting > 0 ? "Apply without the others" : "Apply them"}
        busyLabel="Applying"
        onConfirm={() => apply.mutate(waiting > 0, { onSettled: () => setConfirming(false) })}
        mutation={{ isPending: apply.isPending, error: null }}
      >
        <p>A corrected release with {formatPlural(decided, "verdict")} takes the place of {release.name}, which is deprecated for good. All entries are scored again.</p>
        {waiting > 0 && <Notice tone="warn">{formatPlural(waiting, "answer")} still {waiting === 1 ? "waits" : "wait"} for experts. Verdicts that come later are lost. Apply the others now?</Notice>}
      </ConfirmDialog>
    </>
  );
}

function Scoring({ slug, job: id }: { slug: string; job: string }) {
  const job = useJob(id).data;
  const queries = useQueryClient();
  const isDone = job !== undefined && hasEnded(job);
  // The corrected release has taken the place of this one by then.
  useEffect(() => {
    if (isDone) void Promise.all([queries.invalidateQueries({ queryKey: ["releases"] }), queries.invalidateQueries({ queryKey: ["boards"] })]);
  }, [isDone, queries]);
  if (!job) return <SkeletonRows rows={1} />;
  if (!hasEnded(job)) return <JobProgress job={job} title="Scoring all entries again" cancelWarning="" />;
  if (job.state !== "succeeded") return <Notice tone="bad">{job.error?.detail ?? "The entries could not be scored."} It is tried again by itself.</Notice>;
  return (
    <Notice tone="good">
      <p>The corrected release has taken the place of this one.</p>
      <div><ButtonLink to={`/releases/${slug}/changes`} variant="primary">See the rank changes</ButtonLink></div>
    </Notice>
  );
}
