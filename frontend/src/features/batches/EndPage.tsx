import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useParams } from "react-router";
import type { ExpertBatch } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { Empty } from "@/components/Empty";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { batchesQuery, batchState, nameOf, nextBatch } from "@/lib/batches";
import { count, duration, plural } from "@/lib/format";
import { useHeldAnswers } from "@/lib/held";
import { useMe } from "@/lib/me";
import { useOnItsWay } from "@/lib/offline";
import { useBatches, type KnownBatches } from "@/lib/useBatches";
import styles from "./Batches.module.css";
import { HeldAnswers } from "./HeldAnswers";
import { Known } from "./Known";

const HOME = { to: "/home", label: "My batches" };

/** After the last question of a batch: what she did, and what comes next. */
export function EndPage() {
  const { batchId } = useParams();
  // What was just sent must be in the counts.
  const batches = useBatches({ refetchOnMount: "always" });
  const waiting = useUntilSent();
  const held = useHeldAnswers();
  const batch = batches.rows?.find((one) => one.id === batchId);
  return (
    <Page title={batch ? titleOf(batch) : "Batch"} parent={HOME} lead={batch?.study.name}>
      <HeldAnswers held={held} />
      {waiting > 0 && (
        <Notice>{plural(waiting, "change is", "changes are")} kept on this device and not sent yet.</Notice>
      )}
      <Known batches={batches} skeleton={<SkeletonRows rows={2} height={84} />}>
        {(rows) => {
          if (batch) return <Ending batch={batch} rows={rows} batches={batches} isSaved={waiting === 0 && held.length === 0} />;
          return batches.isSilent ? <NotHere /> : <NotHers />;
        }}
      </Known>
    </Page>
  );
}

/** How many of her changes still wait for the server, not for her; once they are sent, the counts are asked for again. */
function useUntilSent(): number {
  const queries = useQueryClient();
  const waiting = useOnItsWay(useMe()?.id);
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

function NotHere() {
  return (
    <Empty action={<ButtonLink to="/home">My batches</ButtonLink>}>
      What you did in this batch is not kept on this device. It will be here with a connection.
    </Empty>
  );
}

interface EndingProps {
  batch: ExpertBatch;
  rows: ExpertBatch[];
  batches: KnownBatches;
  /** Whether nothing of hers waits on this device. */
  isSaved: boolean;
}

function Ending({ batch, rows, batches, isSaved }: EndingProps) {
  const next = nextBatch(rows.filter(({ id }) => id !== batch.id && batches.opens(id)));
  return (
    <>
      <p className={styles.text}>{closing(batch, isSaved)}</p>
      <Figures batch={batch} knowsTimes={!batches.isSilent} />
      <div className={styles.ways}>
        <Onward batch={batch} next={next} />
        <ButtonLink to={`/rank/${batch.id}?review=1`} size="large">
          Review my answers
        </ButtonLink>
      </div>
    </>
  );
}

function closing(batch: ExpertBatch, isSaved: boolean): string {
  if (batchState(batch) === "closed") return "This study is closed. Your answers are kept as they were.";
  const left = batch.total - batch.answered;
  if (left === 0) return `Thank you. Every question of this batch has your answer${isSaved ? ", and each is saved" : ""}.`;
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

function Figures({ batch, knowsTimes }: { batch: ExpertBatch; knowsTimes: boolean }) {
  const median = batch.median_active_ms;
  const noMedian = knowsTimes ? "no times yet" : "known with a connection";
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
        <dd className={median === null ? styles.word : "number"}>{median === null ? noMedian : duration(median)}</dd>
      </div>
    </dl>
  );
}
