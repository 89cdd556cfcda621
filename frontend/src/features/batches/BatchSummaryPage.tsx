import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useParams } from "react-router";
import type { ExpertBatch } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { batchesQuery, batchState, batchName, hasEnded, nextBatch, skippedCount } from "@/domains/studies/batches";
import { timeLeftLabel } from "@/domains/studies/pace";
import { useUnsentAnswers } from "@/domains/studies/unsentAnswers";
import { useBatches, type BatchList } from "@/domains/studies/useBatches";
import { studyKindInfo } from "@/study-kinds/registry";
import { useCurrentUser } from "@/lib/currentUser";
import { formatCount, formatDuration, formatList, formatLongDate, formatPlural } from "@/lib/format";
import { useSendingCount, useSyncEngine } from "@/lib/offline";
import styles from "./Batches.module.css";
import { BatchListLoader } from "./BatchListLoader";
import { QualificationNotice } from "./QualificationNotice";
import { UnsentAnswerList } from "./UnsentAnswerList";

const HOME_LINK = { to: "/home", label: "My batches" };

/** After the last question of a batch: a summary, and the next batch. */
export function BatchSummaryPage() {
  const { batchId } = useParams();
  // What was just sent must be in the counts.
  const batches = useBatches({ refetchOnMount: "always" });
  const waiting = useRefetchWhenSent();
  const unsent = useUnsentAnswers();
  const batch = batches.rows?.find((one) => one.id === batchId);
  return (
    <Page title={batch ? pageTitle(batch) : "Batch"} parent={HOME_LINK} intro={batch?.study.name}>
      <UnsentAnswerList answers={unsent} />
      {waiting !== undefined && waiting > 0 && (
        <Notice>{formatPlural(waiting, "change is", "changes are")} kept on this device and not sent yet.</Notice>
      )}
      <BatchListLoader batches={batches} skeleton={<SkeletonRows rows={2} height={84} />}>
        {(rows) => {
          if (batch) return <BatchSummary batch={batch} rows={rows} batches={batches} isSaved={waiting === 0 && unsent.length === 0} />;
          return <NoBatch isOffline={batches.isOffline} />;
        }}
      </BatchListLoader>
    </Page>
  );
}

/** How many changes wait for the server; whenever one was sent, the counts are loaded again. */
function useRefetchWhenSent(): number | undefined {
  const queries = useQueryClient();
  const account = useCurrentUser()?.id;
  const engine = useSyncEngine(account);
  useEffect(() => {
    if (!engine) return undefined;
    const reload = () => void queries.invalidateQueries({ queryKey: batchesQuery.queryKey });
    reload(); // what was sent before the engine was known here
    return engine.onMessage(({ response }) => {
      if (response) reload();
    });
  }, [queries, engine]);
  return useSendingCount(account);
}

function pageTitle(batch: ExpertBatch): string {
  return batchState(batch) === "done" ? `${batchName(batch)} is done` : batchName(batch);
}

function NoBatch({ isOffline }: { isOffline: boolean }) {
  return (
    <EmptyState action={<ButtonLink to="/home">My batches</ButtonLink>}>
      {isOffline
        ? "Your answers in this batch are not stored on this device. Connect to see them."
        : "This batch is not assigned to you. It may be assigned to somebody else now."}
    </EmptyState>
  );
}

interface SummaryProps {
  batch: ExpertBatch;
  rows: ExpertBatch[];
  batches: BatchList;
  /** Whether nothing waits on this device. */
  isSaved: boolean;
}

function BatchSummary({ batch, rows, batches, isSaved }: SummaryProps) {
  const next = nextBatch(rows.filter(({ id }) => id !== batch.id && batches.canOpenOffline(id)));
  return (
    <>
      <p className={styles.text}>{closingMessage(batch, isSaved)}</p>
      <QualificationNotice qualification={batch.study.qualification} />
      <BatchStats batch={batch} knowsTimes={!batches.isOffline} />
      <WhatHappensNext batch={batch} next={next} />
      <div className={styles.ways}>
        <NextBatchLink batch={batch} next={next} />
        <ButtonLink to={`/rank/${batch.id}?review=1`} size="large">Review my answers</ButtonLink>
      </div>
    </>
  );
}

function closingMessage(batch: ExpertBatch, isSaved: boolean): string {
  if (batchState(batch) === "closed") return "This study is closed. Your answers are kept as they were.";
  if (batchState(batch) === "paused") return "This study is paused. Your answers are kept; you can go on once it is open again.";
  const left = batch.total - batch.answered;
  if (left === 0) return `Thank you. Every question of this batch has your answer${isSaved ? ", and each is saved" : ""}.`;
  return `${formatPlural(left, "question is", "questions are")} still without an answer; skipped ones are asked again.`;
}

/** What comes after this batch, for the expert and for the answers. */
function WhatHappensNext({ batch, next }: { batch: ExpertBatch; next: ExpertBatch | undefined }) {
  const { study } = batch;
  if (hasEnded(study.status)) return <p className={styles.text}>My batches shows how the others answered.</p>;
  if (study.status === "paused") return null;
  const closes = study.closes_on ? `on ${formatLongDate(study.closes_on)}` : "";
  return (
    <section className={styles.study} aria-labelledby="next-heading">
      <h2 id="next-heading">What happens next</h2>
      <ul className={styles.steps}>
        {next && batch.answered === batch.total && <li>{batchName(next)} has {formatPlural(next.total - next.answered, "open question")}, {timeLeftLabel([next])}.</li>}
        <li>You can change an answer until the study is closed.</li>
        <li>{study.coordinators.length ? formatList(study.coordinators) : "The coordinator"} will close the study{closes && ` ${closes}`}. Then My batches shows how the others answered.</li>
      </ul>
      {batch.answered > 0 && <p><Link to={`/studies/${study.id}/contribution`} className={styles.cite}>My contribution, to be cited</Link></p>}
    </section>
  );
}

function NextBatchLink({ batch, next }: { batch: ExpertBatch; next: ExpertBatch | undefined }) {
  const state = batchState(batch);
  if (state === "begun" || state === "not begun") {
    return <ButtonLink to={`/rank/${batch.id}`} variant="primary" size="large">Answer what is left</ButtonLink>;
  }
  const to = next ? batchPath(next) : "/home";
  return (
    <ButtonLink to={to} variant="primary" size="large">{next ? `Go on to ${batchName(next)}` : "To my batches"}</ButtonLink>
  );
}

function batchPath(batch: ExpertBatch): string {
  return batch.study.to_read ? `/studies/${batch.study.id}/introduction` : `/rank/${batch.id}`;
}

function BatchStats({ batch, knowsTimes }: { batch: ExpertBatch; knowsTimes: boolean }) {
  const { outcomes } = studyKindInfo(batch.study.kind);
  const median = batch.median_active_ms;
  const noMedian = knowsTimes ? "no times yet" : "needs a connection";
  const figures = [
    ["Answered", `${formatCount(batch.answered)} of ${formatCount(batch.total)}`],
    ...outcomes.filter(({ name }) => batch.outcomes[name]).map(({ name, title }) => [title, formatCount(batch.outcomes[name] ?? 0)]),
    ["Skipped", formatCount(skippedCount(batch))],
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd className="number">{value}</dd>
        </div>
      ))}
      <div>
        <dt>Median time a question</dt>
        <dd className={median === null ? styles.word : "number"}>{median === null ? noMedian : formatDuration(median)}</dd>
      </div>
    </dl>
  );
}
