import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Assignment } from "@/api/contract";
import { Button } from "@/components/Button";
import { CopyText } from "@/components/CopyText";
import { Notice } from "@/components/Notice";
import type { BlockReason, SyncEngine, SyncState } from "@/lib/offline";
import type { StudyKind } from "../studyKind";
import styles from "./Conflict.module.css";
import { ConflictDialog } from "./ConflictDialog";

interface Props {
  kind: StudyKind;
  engine: SyncEngine;
  state: SyncState;
  assignment: Pick<Assignment, "id" | "item">;
  /** The focus was in the notice, or in its dialog, and both are gone. */
  onResolved: () => void;
}

/** What the user must know of changes that are not sent: where they are stored, and why they wait. */
export function UnsentAnswerNotice(props: Props) {
  return (
    <>
      <StorageNotice state={props.state} />
      <BlockedAnswer {...props} />
    </>
  );
}

/** Warns where changes would be lost with the page, or the page with the network. */
function StorageNotice({ state }: Pick<Props, "state">) {
  if (!state.isDurable) {
    return (
      <Notice tone="warn">
        This browser cannot store changes on this device. Stay on this page until it shows that they are saved.
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

/** Why the answer to this question is not sent, and what to do; nothing where it can be sent. */
function BlockedAnswer({ kind, engine, state, assignment, onResolved }: Props) {
  const queue = state.queue.filter((write) => write.resource === assignment.id);
  const reason = queue[0]?.blocked;
  const local = queue.at(-1)?.write.payload;
  useResolved(Boolean(reason), onResolved);
  if (!reason || !local) return null;
  const { id, item } = assignment;
  if (reason.kind !== "conflict") {
    const place = state.isDurable ? "It is kept on this device." : "It is kept while this page is open.";
    return (
      <RejectedAnswer
        message={`${BLOCK_MESSAGES[reason.kind]} ${reason.message} ${place}`}
        text={[item.text, ...kind.summarize(item, local)].join("\n")}
        onRetry={() => void engine.retry(id)}
      />
    );
  }
  return (
    <ConflictNotice
      kind={kind}
      item={item}
      local={local}
      saved={reason.current}
      onKeepLocal={() => void engine.keepLocalAnswer(id)}
      onAcceptSaved={() => void engine.acceptServerAnswer(id, reason.current)}
    />
  );
}

/** The notice disappears with the element that had the focus, which would be left on nothing. */
function useResolved(isBlocked: boolean, onResolved: () => void): void {
  const wasBlocked = useRef(isBlocked);
  const restoreFocus = useEffectEvent(onResolved);
  useEffect(() => {
    if (wasBlocked.current && !isBlocked && document.activeElement === document.body) restoreFocus();
    wasBlocked.current = isBlocked;
  }, [isBlocked]);
}

const BLOCK_MESSAGES: Record<Exclude<BlockReason["kind"], "conflict">, string> = {
  closed: "This study was closed before your answer arrived.",
  paused: "Your answer is not sent yet.",
  forbidden: "This question is not assigned to you.",
  refused: "The server did not accept this answer.",
};

function RejectedAnswer({ message, text, onRetry }: { message: string; text: string; onRetry: () => void }) {
  return (
    <Notice tone="bad">
      <div className={styles.held}>
        <span>{message}</span>
        <div className={styles.choices}><Button onPress={onRetry}>Send it again</Button></div>
        <CopyText text={text} label="Copy my answer" />
      </div>
    </Notice>
  );
}

type ConflictProps = Omit<React.ComponentProps<typeof ConflictDialog>, "isOpen" | "onOpenChange">;

function ConflictNotice({ onKeepLocal, onAcceptSaved, ...props }: ConflictProps) {
  const [isOpen, setOpen] = useState(true);
  // The dialog closes before the answer is sent: while it is open, the page behind it is inert.
  const choose = (decide: () => void) => () => {
    setOpen(false);
    decide();
  };
  return (
    <Notice tone="warn">
      <div className={styles.held}>
        <span>This question was also answered elsewhere. Your answer is kept on this device until you choose.</span>
        <div className={styles.choices}><Button onPress={() => setOpen(true)}>Compare both answers</Button></div>
      </div>
      <ConflictDialog
        {...props}
        isOpen={isOpen}
        onOpenChange={setOpen}
        onKeepLocal={choose(onKeepLocal)}
        onAcceptSaved={choose(onAcceptSaved)}
      />
    </Notice>
  );
}
