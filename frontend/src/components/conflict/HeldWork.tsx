import { useState } from "react";
import type { Assignment } from "@/api/contract";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import type { SyncEngine, SyncState } from "@/lib/offline";
import { ConflictDialog } from "./ConflictDialog";
import styles from "./Conflict.module.css";

interface Props {
  engine: SyncEngine;
  state: SyncState;
  assignment: Pick<Assignment, "id" | "question">;
}

/** Why the answer to this question is not sent, and what she can do; nothing where it can be. */
export function HeldWork({ engine, state, assignment }: Props) {
  const waiting = state.queue.filter((item) => item.assignment === assignment.id);
  const why = waiting[0]?.hold;
  const mine = waiting.at(-1)?.write;
  if (!why || !mine) return null;
  if (why.kind === "conflict") {
    const { id, question } = assignment;
    return (
      <Conflict
        question={question}
        mine={mine}
        saved={why.current}
        onKeepMine={() => void engine.keepMine(id)}
        onTakeSaved={() => void engine.takeSaved(id, why.current)}
      />
    );
  }
  return (
    <Notice tone="bad">
      <div className={styles.held}>
        <span>
          {why.sentence} Your answer is {state.durable ? "kept on this device" : "kept while this page is open"}.
        </span>
        <div className={styles.choices}>
          <Button onPress={() => void engine.tryAgain(assignment.id)}>Send it again</Button>
        </div>
      </div>
    </Notice>
  );
}

type ConflictProps = Omit<React.ComponentProps<typeof ConflictDialog>, "isOpen" | "onOpenChange">;

function Conflict(props: ConflictProps) {
  const [isOpen, setOpen] = useState(true);
  return (
    <Notice tone="warn">
      <div className={styles.held}>
        <span>This question was also answered elsewhere. Your answer is kept, and not sent.</span>
        <div className={styles.choices}>
          <Button onPress={() => setOpen(true)}>Compare both answers</Button>
        </div>
      </div>
      <ConflictDialog {...props} isOpen={isOpen} onOpenChange={setOpen} />
    </Notice>
  );
}
