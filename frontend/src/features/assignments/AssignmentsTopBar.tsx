import { CircleHelp, ListChecks } from "lucide-react";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { ProgressBar } from "@/components/ProgressBar";
import { batchName } from "@/domains/studies/batches";
import type { StudyKind } from "@/domains/studies/studyKind";
import { formatTimeLeft } from "@/lib/format";
import { type SyncEngine } from "@/lib/offline";
import { countAnswered, estimateTimeLeftMs } from "./progress";
import styles from "./AssignmentsPage.module.css";
import { SaveStatus } from "./SaveStatus";
import type { LoadedBatch } from "./useBatch";

interface Props {
  kind: StudyKind;
  batch: LoadedBatch;
  engine: SyncEngine;
  onQuestions: () => void;
  onHelp: () => void;
  onRenew: () => void;
  onShowBlocked: (assignment: Id) => void;
}

export function AssignmentsTopBar({ kind, batch, engine, onQuestions, onHelp, onRenew, onShowBlocked }: Props) {
  const { details, assignments } = batch;
  const answered = countAnswered(assignments);
  const isClosed = details.study.status !== "open";
  // How many of these the expert will have, if others answer too, is not known.
  const inPool = isClosed ? 0 : batch.available;
  const total = assignments.length + inPool;
  const left = isClosed || inPool > 0 ? null : estimateTimeLeftMs(assignments);
  return (
    <>
      <p className={styles.where}>{details.study.name}, {batchName(details)}</p>
      <div className={styles.progress}><ProgressBar label="Questions answered" value={answered} total={total} /></div>
      <Button variant="quiet" onPress={onQuestions} aria-label={`${answeredLabel(answered, total, inPool)}: all questions`}>
        <span className="number">{inPool > 0 ? `${answered} answered` : `${answered} of ${total}`}</span>
        <ListChecks size={16} aria-hidden />
      </Button>
      <p className={styles.left}>{left ? formatTimeLeft(left) : ""}</p>
      <SaveStatus isClosed={isClosed} engine={engine} onRenew={onRenew} onShowBlocked={onShowBlocked} />
      <Button variant="quiet" size="icon" onPress={onHelp} aria-label={`${kind.definition.heading}, and the keys`}>
        <CircleHelp size={18} aria-hidden />
      </Button>
    </>
  );
}

function answeredLabel(answered: number, total: number, inPool: number): string {
  return inPool > 0 ? `${answered} answered, up to ${total - answered} more in the pool` : `${answered} of ${total} answered`;
}
