import type { ExpertBatch } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { ProgressBar } from "@/components/ProgressBar";
import { batchState, nameOf } from "@/lib/batches";
import { count, plural, timeLeft } from "@/lib/format";
import styles from "./Batches.module.css";

interface Props {
  batch: ExpertBatch;
  isNext: boolean;
  /** False where only the server has it, and is silent. */
  opens: boolean;
}

/** One batch: how far it is, what is left, and the way in. */
export function BatchRow({ batch, isNext, opens }: Props) {
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
        {!opens && <p className={styles.quiet}>opens with a connection</p>}
        {opens && !batch.study.consent_needed && <WayIn batch={batch} isNext={isNext} />}
      </div>
    </li>
  );
}

function WayIn({ batch, isNext }: Omit<Props, "opens">) {
  const { word, to } = wayIn(batch);
  return (
    <ButtonLink
      to={to}
      look={isNext ? "primary" : "plain"}
      size="large"
      // The word on it comes first, so that it can be spoken.
      aria-label={`${word}: ${nameOf(batch)}`}
    >
      {word}
    </ButtonLink>
  );
}

function wayIn(batch: ExpertBatch): { word: string; to: string } {
  const state = batchState(batch);
  if (state === "begun") return { word: "Continue", to: `/rank/${batch.id}` };
  if (state === "not begun") return { word: "Begin", to: `/rank/${batch.id}` };
  return { word: state === "done" ? "Look back" : "See what you did", to: `/rank/${batch.id}/end` };
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
