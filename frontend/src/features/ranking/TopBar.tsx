import { CircleHelp, ListChecks } from "lucide-react";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { ProgressBar } from "@/components/ProgressBar";
import { nameOf } from "@/lib/batches";
import { timeLeft } from "@/lib/format";
import { type SyncEngine } from "@/lib/offline";
import { answeredIn, timeLeftMs } from "./progress";
import styles from "./RankingPage.module.css";
import { SaveState } from "./SaveState";
import type { Batch } from "./useBatch";

interface Props {
  batch: Batch;
  engine: SyncEngine;
  onQuestions: () => void;
  onHelp: () => void;
  onRenew: () => void;
  onHeld: (assignment: Id) => void;
}

export function TopBar({ batch, engine, onQuestions, onHelp, onRenew, onHeld }: Props) {
  const { about, assignments } = batch;
  const answered = answeredIn(assignments);
  const total = assignments.length;
  const left = timeLeftMs(assignments);
  return (
    <>
      <p className={styles.where}>
        {about.study.name}, {nameOf(about)}
      </p>
      <div className={styles.progress}>
        <ProgressBar label="Questions answered" value={answered} total={total} />
      </div>
      <Button look="quiet" onPress={onQuestions} aria-label={`${answered} of ${total} answered: all questions`}>
        <span className="number">
          {answered} of {total}
        </span>
        <ListChecks size={16} aria-hidden />
      </Button>
      <p className={styles.left}>{left ? timeLeft(left) : ""}</p>
      <SaveState engine={engine} onRenew={onRenew} onHeld={onHeld} />
      <Button look="quiet" size="icon" onPress={onHelp} aria-label="What serendipitous means, and the keys">
        <CircleHelp size={18} aria-hidden />
      </Button>
    </>
  );
}
