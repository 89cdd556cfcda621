import type { ExpertBatch } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { ProgressBar } from "@/components/ProgressBar";
import { batchState, nameOf } from "@/lib/batches";
import { count, plural, timeLeft } from "@/lib/format";
import styles from "./Batches.module.css";

/** One batch: how far it is, what is left, and the way in. */
export function BatchRow({ batch, isNext }: { batch: ExpertBatch; isNext: boolean }) {
  return (
    <li className={styles.row}>
      <div className={styles.name}>
        <h3>{nameOf(batch)}</h3>
        <p className={styles.quiet}>{whatIsLeft(batch)}</p>
      </div>
      <div className={styles.progress}>
        <ProgressBar label={`${nameOf(batch)}, answered`} value={batch.answered} total={batch.total} />
        <p className="number">
          {count(batch.answered)} of {count(batch.total)}
        </p>
      </div>
      <div className={styles.action}>
        <WayIn batch={batch} isNext={isNext} />
      </div>
    </li>
  );
}

function WayIn({ batch, isNext }: { batch: ExpertBatch; isNext: boolean }) {
  if (batch.study.consent_needed) {
    return (
      <ButtonLink to={`/studies/${batch.study.id}/introduction`} look={isNext ? "primary" : "plain"} size="large">
        Read the introduction
      </ButtonLink>
    );
  }
  const state = batchState(batch);
  if (state === "done" || state === "closed") {
    return (
      <ButtonLink to={`/rank/${batch.id}/end`} size="large" aria-label={`Results of ${nameOf(batch)}`}>
        {state === "done" ? "Look back" : "See what you did"}
      </ButtonLink>
    );
  }
  const word = state === "begun" ? "Continue" : "Begin";
  return (
    <ButtonLink
      to={`/rank/${batch.id}`}
      look={isNext ? "primary" : "plain"}
      size="large"
      aria-label={`${word} ${nameOf(batch)}`}
    >
      {word}
    </ButtonLink>
  );
}

function whatIsLeft(batch: ExpertBatch): string {
  const state = batchState(batch);
  if (state === "closed") return "The study is closed; answers can be read, not changed";
  if (state === "done") return "All answered";
  const parts = [
    batch.expected_left_ms === null ? "time left not known yet" : timeLeft(batch.expected_left_ms),
    batch.drafts > 0 && plural(batch.drafts, "draft"),
    batch.skipped > 0 && `${count(batch.skipped)} skipped, asked again at the end`,
  ];
  return parts.filter(Boolean).join(" · ");
}
