import { useState } from "react";
import type { Assignment } from "@/api/contract";
import { Button } from "@/components/Button";
import { Copy } from "@/components/Copy";
import { Notice } from "@/components/Notice";
import type { Answer, Hold, SyncEngine, SyncState } from "@/lib/offline";
import { answerLines } from "./compare";
import { ConflictDialog } from "./ConflictDialog";
import styles from "./Conflict.module.css";

interface Props {
  engine: SyncEngine;
  state: SyncState;
  assignment: Pick<Assignment, "id" | "question">;
}

/** What she must know of what is not sent: where it is kept, and why it waits for her. */
export function HeldWork(props: Props) {
  return (
    <>
      <Place state={props.state} />
      <Held {...props} />
    </>
  );
}

/** Says so where what she does would go with the page, or the page with the network. */
function Place({ state }: Pick<Props, "state">) {
  if (!state.durable) {
    return (
      <Notice tone="warn">
        This browser keeps nothing on this device. Stay on this page until it says that your changes are saved.
      </Notice>
    );
  }
  if (state.phase !== "offline" || navigator.serviceWorker?.controller) return null;
  return (
    <Notice tone="warn">
      Keep this page open: it cannot be opened again without a network. Your changes are kept on this device.
    </Notice>
  );
}

/** Why the answer to this question is not sent, and what she can do; nothing where it can be. */
function Held({ engine, state, assignment }: Props) {
  const waiting = state.queue.filter((item) => item.assignment === assignment.id);
  const why = waiting[0]?.hold;
  const mine = waiting.at(-1)?.write;
  if (!why || !mine) return null;
  const { id, question } = assignment;
  if (why.kind !== "conflict") {
    const place = state.durable ? "It is kept on this device." : "It is kept while this page is open.";
    return (
      <Refused
        sentence={`${LEAD[why.kind]} ${why.sentence} ${place}`}
        text={asText(question, mine)}
        onAgain={() => void engine.tryAgain(id)}
      />
    );
  }
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

const LEAD: Record<Exclude<Hold["kind"], "conflict">, string> = {
  closed: "This study was closed before your answer arrived.",
  not_yours: "The server says that this question is not yours.",
  refused: "The server did not take this answer.",
};

function asText(question: Assignment["question"], answer: Answer): string {
  return [question.text, ...answerLines(question.candidates, answer)].join("\n");
}

function Refused({ sentence, text, onAgain }: { sentence: string; text: string; onAgain: () => void }) {
  return (
    <Notice tone="bad">
      <div className={styles.held}>
        <span>{sentence}</span>
        <div className={styles.choices}>
          <Button onPress={onAgain}>Send it again</Button>
        </div>
        <Copy text={text} label="Copy my answer" />
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
