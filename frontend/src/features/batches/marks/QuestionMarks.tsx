import { Link } from "react-router";
import type { ExpertBatch } from "@/api/contract";
import { batchName } from "@/domains/studies/batches";
import { questionState } from "@/domains/studies/questionState";
import { studyKindInfo } from "@/study-kinds/registry";
import styles from "./QuestionMarks.module.css";

interface Props {
  batch: ExpertBatch;
  /** The question that 'Continue' opens. */
  next: number | undefined;
  /** False before consent, and where only the server has the batch and does not answer. */
  canOpen: boolean;
}

/** One mark for each question: its shape shows the answer, and it opens the question. */
export function QuestionMarks({ batch, next, canOpen }: Props) {
  const kind = studyKindInfo(batch.study.kind);
  return (
    <ol className={styles.marks} aria-label={`Questions of ${batchName(batch)}`}>
      {batch.marks.map(({ number, status, outcome }) => {
        const { Icon, tone, label } = questionState(kind, status, outcome);
        const name = `Question ${number}: ${label}`;
        const content = <><Icon size={18} aria-hidden /><span className={styles.number} aria-hidden>{number}</span></>;
        return (
          <li key={number} className={styles.item}>
            {canOpen
              ? <Link to={`/rank/${batch.id}?q=${number}`} className={styles.mark} data-tone={tone} aria-label={name} title={name} aria-current={number === next ? "step" : undefined}>{content}</Link>
              : <span className={styles.mark} data-tone={tone} role="img" aria-label={name} title={name}>{content}</span>}
          </li>
        );
      })}
    </ol>
  );
}

/** What the shapes mean: those that the marks have, in the order in which they come up. */
export function MarkLegend({ batches }: { batches: ExpertBatch[] }) {
  const states = batches.flatMap(({ study, marks }) =>
    marks.map(({ status, outcome }) => questionState(studyKindInfo(study.kind), status, outcome)),
  );
  const byLabel = new Map(states.map((state) => [state.label, state]));
  return (
    <ul className={styles.legend} aria-label="What the marks mean">
      {[...byLabel.values()].map(({ Icon, tone, label }) => (
        <li key={label} data-tone={tone}><Icon size={14} aria-hidden />{label}</li>
      ))}
    </ul>
  );
}
