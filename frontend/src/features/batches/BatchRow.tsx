import type { ExpertBatch } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { batchState, batchName, nextMark, skippedCount } from "@/domains/studies/batches";
import { formatCount, formatPlural } from "@/lib/format";
import { BatchComparison } from "./BatchComparison";
import styles from "./Batches.module.css";
import { QuestionMarks } from "./marks/QuestionMarks";

interface Props {
  batch: ExpertBatch;
  isNext: boolean;
  /** False where only the server has the batch and does not answer. */
  canOpen: boolean;
}

/** A section of the strip of marks. The batch that is next has its button above all of them. */
export function BatchRow({ batch, isNext, canOpen }: Props) {
  const isReadable = canOpen && !batch.study.to_read;
  return (
    <li className={styles.row}>
      <div className={styles.rowHead}>
        <h3>{batchName(batch)}</h3>
        <p className={styles.quiet}>{remainingLabel(batch)}</p>
        {!canOpen && <p className={styles.quiet}>needs a connection</p>}
        {isReadable && !isNext && <BatchLink batch={batch} />}
      </div>
      <QuestionMarks batch={batch} next={isNext ? nextMark(batch)?.number : undefined} canOpen={isReadable} />
      {isReadable && batchState(batch) === "closed" && batch.answered > 0 && <BatchComparison batch={batch} />}
    </li>
  );
}

function BatchLink({ batch }: Pick<Props, "batch">) {
  const { label, path } = batchLinkLabel(batch);
  return (
    // The visible label comes first, for voice control.
    <ButtonLink to={path} variant="quiet" aria-label={`${label}: ${batchName(batch)}`}>{label}</ButtonLink>
  );
}

function batchLinkLabel(batch: ExpertBatch): { label: string; path: string } {
  const state = batchState(batch);
  if (state === "begun") return { label: "Continue", path: `/rank/${batch.id}` };
  if (state === "not begun") return { label: "Begin", path: `/rank/${batch.id}` };
  return { label: "View my answers", path: `/rank/${batch.id}/end` };
}

/** What a pool still has is no part of the expert's own number: others take it too. */
function answeredLabel({ answered, total, marks }: ExpertBatch): string {
  const more = total - marks.length;
  if (more === 0) return `${formatCount(answered)} of ${formatCount(total)} answered`;
  return `${formatCount(answered)} answered, up to ${formatCount(more)} more in the pool`;
}

function remainingLabel(batch: ExpertBatch): string {
  const state = batchState(batch);
  if (state === "closed") return "The study is closed; answers can be read, not changed";
  if (state === "paused") return "The study is paused; answers can be read, and changed once it is open again";
  if (state === "done") return "All answered";
  const skipped = skippedCount(batch);
  const parts = [
    answeredLabel(batch),
    batch.drafts > 0 && formatPlural(batch.drafts, "draft"),
    skipped > 0 && `${formatCount(skipped)} skipped, shown again at the end`,
  ];
  return parts.filter(Boolean).join(" · ");
}
