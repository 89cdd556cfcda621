import type { ExpertBatch, Id } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { batchName, batchState, nextBatch, nextMark } from "@/domains/studies/batches";
import { timeLeftLabel } from "@/domains/studies/pace";
import { formatCount, formatPlural } from "@/lib/format";
import { TEXTS_TO_READ } from "./textsToRead";
import styles from "./NextQuestion.module.css";

interface Props {
  rows: ExpertBatch[];
  canOpen: (batch: Id) => boolean;
}

/** The one thing to do: the next question, where it stands among all of its study, and how long the rest takes. */
export function NextQuestion({ rows, canOpen }: Props) {
  const next = nextBatch(rows.filter(({ id }) => canOpen(id)));
  if (!next) return null;
  const { study } = next;
  const ofStudy = rows.filter((batch) => batch.study.id === study.id);
  const total = ofStudy.reduce((sum, batch) => sum + batch.total, 0);
  if (study.to_read) {
    const { label, reason } = TEXTS_TO_READ[study.to_read];
    return (
      <section className={styles.next} aria-labelledby="next-heading">
        <div>
          <h2 id="next-heading" className={styles.title}>{formatPlural(total, "question")}</h2>
          <p className={styles.left}>{timeLeftLabel(ofStudy)}. {reason}</p>
        </div>
        <ButtonLink to={`/studies/${study.id}/introduction`} variant="primary" size="large">{label}</ButtonLink>
      </section>
    );
  }
  const more = total - ofStudy.reduce((sum, { marks }) => sum + marks.length, 0);
  const label = ofStudy.every((batch) => batchState(batch) === "not begun") ? "Begin" : "Continue";
  return (
    <section className={styles.next} aria-labelledby="next-heading">
      <div>
        <h2 id="next-heading" className={styles.title}>Question {formatCount(placeOf(next, ofStudy))}{more === 0 && ` of ${formatCount(total)}`}</h2>
        <p className={styles.left}>{more > 0 ? poolLabel(more, ofStudy) : timeLeftLabel(ofStudy)} · {ofStudy.length < rows.length && `${study.name}, `}{batchName(next)}</p>
      </div>
      {/* The visible label comes first, for voice control. */}
      <ButtonLink to={`/rank/${next.id}`} variant="primary" size="large" aria-label={`${label}: ${batchName(next)}`}>{label}</ButtonLink>
    </section>
  );
}

/** Questions of a pool are taken by whoever comes first, so that their number falls while others answer. */
function poolLabel(more: number, batches: ExpertBatch[]): string {
  return `up to ${formatPlural(more, "more question")}, ${timeLeftLabel(batches)} if nobody else takes them`;
}

/** Among all questions of the study, in the order of its batches. */
function placeOf(next: ExpertBatch, batches: ExpertBatch[]): number {
  const before = batches.slice(0, batches.indexOf(next)).reduce((sum, { marks }) => sum + marks.length, 0);
  const mark = nextMark(next);
  // A question of a pool has no mark before it is taken.
  return before + (mark ? next.marks.indexOf(mark) : next.marks.length) + 1;
}
