import type { Assignment } from "@/api/contract";
import { Button } from "@/components/Button";
import { Copy } from "@/components/Copy";
import { Notice } from "@/components/Notice";
import { orderWords } from "@/components/ranking/words";
import type { SyncEngine } from "@/lib/offline/engine";
import type { Hold } from "@/lib/offline/queue";
import { useSyncState } from "@/lib/offline/sync";
import styles from "./RankingPage.module.css";

interface Props {
  engine: SyncEngine;
  assignment: Assignment;
}

const LEAD: Record<Exclude<Hold["kind"], "conflict">, string> = {
  closed: "This study was closed before your answer arrived.",
  not_yours: "The server says that this question is not yours.",
  refused: "The server did not take this answer.",
};

/** An answer that waits for her and not for the network: it stays here, whole, and nothing loops. */
export function HeldNotice({ engine, assignment }: Props) {
  const queue = useSyncState(engine)?.queue ?? [];
  const why = queue.find((item) => item.assignment === assignment.id && item.hold)?.hold;
  if (!why || why.kind === "conflict") return null;
  const { ranking, comment } = assignment.response;
  const text = [assignment.question.text, ...orderWords(ranking, assignment.question.candidates), comment];
  return (
    <Notice tone="bad">
      <p>
        {LEAD[why.kind]} {why.sentence} It is kept on this device.
      </p>
      <div className={styles.row}>
        <Button onPress={() => void engine.keepMine(assignment.id)}>Send it again</Button>
        <Copy text={text.filter(Boolean).join("\n")} label="Copy my answer" />
      </div>
    </Notice>
  );
}
