import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useParams } from "react-router";
import type { ExpertBatch } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { Empty } from "@/components/Empty";
import { Loadable } from "@/components/Loadable";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { batchesQuery, batchState, nameOf, nextBatch } from "@/lib/batches";
import { count, duration, plural } from "@/lib/format";
import { useMe } from "@/lib/me";
import { usePendingCount } from "@/lib/offline";
import styles from "./Batches.module.css";

const HOME = { to: "/home", label: "My batches" };

/** After the last question of a batch: what she did, and what comes next. */
export function EndPage() {
  const { batchId } = useParams();
  // What was just sent must be in the counts.
  const batches = useQuery({ ...batchesQuery, refetchOnMount: "always" });
  const waiting = useUntilSent();
  const batch = batches.data?.find((one) => one.id === batchId);
  return (
    <Page title={batch ? titleOf(batch) : "Batch"} parent={HOME} lead={batch?.study.name}>
      {waiting > 0 && (
        <Notice>{plural(waiting, "change is", "changes are")} kept on this device and not sent yet.</Notice>
      )}
      <Loadable query={batches} skeleton={<SkeletonRows rows={2} height={84} />}>
        {(rows) => (batch ? <Ending batch={batch} rows={rows} /> : <NotHers />)}
      </Loadable>
    </Page>
  );
}

/** How many of her changes still wait; once they are sent, the counts are asked for again. */
function useUntilSent(): number {
  const queries = useQueryClient();
  const waiting = usePendingCount(useMe()?.id);
  useEffect(() => {
    if (waiting === 0) void queries.invalidateQueries({ queryKey: batchesQuery.queryKey });
  }, [queries, waiting]);
  return waiting;
}

function titleOf(batch: ExpertBatch): string {
  return batchState(batch) === "done" ? `${nameOf(batch)} is done` : nameOf(batch);
}

function NotHers() {
  return (
    <Empty action={<ButtonLink to="/home">My batches</ButtonLink>}>
      This batch is not among yours. It may have been given to somebody else.
    </Empty>
  );
}

function Ending({ batch, rows }: { batch: ExpertBatch; rows: ExpertBatch[] }) {
  const next = nextBatch(rows.filter((one) => one.id !== batch.id));
  return (
    <>
      <p className={styles.text}>{closing(batch)}</p>
      <Figures batch={batch} />
      <div className={styles.ways}>
        <Onward batch={batch} next={next} />
        <ButtonLink to={`/rank/${batch.id}?review=1`} size="large">
          Review my answers
        </ButtonLink>
      </div>
    </>
  );
}

function closing(batch: ExpertBatch): string {
  if (batchState(batch) === "closed") return "This study is closed. Your answers are kept as they were.";
  const left = batch.total - batch.answered;
  if (left === 0) return "Thank you. Every question of this batch has your answer, and each is saved.";
  return `${plural(left, "question is", "questions are")} still without an answer; skipped ones are asked again.`;
}

function Onward({ batch, next }: { batch: ExpertBatch; next: ExpertBatch | undefined }) {
  const state = batchState(batch);
  if (state === "begun" || state === "not begun") {
    return (
      <ButtonLink to={`/rank/${batch.id}`} look="primary" size="large">
        Answer what is left
      </ButtonLink>
    );
  }
  const to = next ? wayTo(next) : "/home";
  return (
    <ButtonLink to={to} look="primary" size="large">
      {next ? `Go on to ${nameOf(next)}` : "To my batches"}
    </ButtonLink>
  );
}

function wayTo(batch: ExpertBatch): string {
  return batch.study.consent_needed ? `/studies/${batch.study.id}/introduction` : `/rank/${batch.id}`;
}

function Figures({ batch }: { batch: ExpertBatch }) {
  const median = batch.median_active_ms;
  const figures = [
    ["Answered", `${count(batch.answered)} of ${count(batch.total)}`],
    ["Agreed", count(batch.confirmed)],
    ["Changed", count(batch.changed)],
    ["Not sure", count(batch.not_sure)],
    ["Skipped", count(batch.skipped)],
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
        <dd className={median === null ? styles.word : "number"}>
          {median === null ? "no times yet" : duration(median)}
        </dd>
      </div>
    </dl>
  );
}
