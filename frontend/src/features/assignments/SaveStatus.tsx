import { ArrowRight, Check, CloudOff, LogIn, RefreshCw, TriangleAlert, type LucideIcon } from "lucide-react";
import { useState } from "react";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { type Phase, type SyncEngine, type SyncState, useSyncState } from "@/lib/offline";
import { useIsSlow } from "@/lib/useIsSlow";
import { useNow } from "@/lib/useNow";
import styles from "./SaveStatus.module.css";
import { saveStatusLabel, type Attempt, type SaveStatusLabel } from "./saveStatusLabel";

const ICONS: Record<SaveStatusLabel["tone"], LucideIcon | null> = {
  quiet: null,
  good: Check,
  warn: CloudOff,
  bad: TriangleAlert,
};

interface Props {
  /** Nothing can be saved; only what was not sent before is shown. */
  isClosed: boolean;
  engine: SyncEngine;
  onRenew: () => void;
  /** Opens the question whose answer waits for a decision. */
  onShowBlocked: (assignment: Id) => void;
}

/** What is saved. Trouble is read out; that all goes well is only shown. */
export function SaveStatus({ isClosed, engine, onRenew, onShowBlocked }: Props) {
  const state = useSyncState(engine) ?? engine.state;
  const now = useNow(state.phase === "retrying");
  const attempt = useAttempt(state);
  const words = saveStatusLabel(state, now, attempt);
  const Icon = ICONS[words.tone];
  const blocked = state.queue.find((item) => item.blocked)?.resource;
  const way = problemAction(state.phase, attempt, engine, onRenew) ?? (blocked ? { name: BLOCKED_LABEL, icon: ArrowRight, act: () => onShowBlocked(blocked) } : null);
  if (isClosed && state.phase === "idle" && state.queue.length === 0) return null;
  return (
    <div className={styles.state} data-tone={words.tone}>
      {Icon && <Icon size={16} aria-hidden />}
      <span className={styles.long}>{words.text}</span>
      <span className={styles.short} title={words.text}>{words.short}</span>
      {way && (
        <Button variant="quiet" size="icon" onPress={way.act} aria-label={way.name}><way.icon size={16} aria-hidden /></Button>
      )}
      <SaveProblem words={words} />
    </div>
  );
}

function useAttempt({ phase, savedAt }: SyncState): Attempt {
  const isSaving = phase === "waiting" || phase === "sending";
  const isSlow = useIsSlow(isSaving, savedAt);
  // The last failure, until the server has saved something since.
  const [failure, setFailure] = useState<{ savedAt: number | null } | null>(null);
  const isSame = failure?.savedAt === savedAt;
  const next = phase === "retrying" ? (isSame ? failure : { savedAt }) : isSaving && isSame ? failure : null;
  if (next !== failure) setFailure(next);
  return { isSlow, isRepeated: isSaving && next !== null };
}

const BLOCKED_LABEL = "Go to the answer that is not sent";

/** Announced once for each kind of trouble, not at every second of its countdown. */
function SaveProblem({ words }: { words: SaveStatusLabel }) {
  const isTrouble = words.tone === "warn" || words.tone === "bad";
  return <span className="visually-hidden" role="status">{isTrouble ? words.text.replace(/ in \d+ s/, "") : ""}</span>;
}

function problemAction(phase: Phase, { isRepeated }: Attempt, engine: SyncEngine, onRenew: () => void) {
  if (phase === "signed_out" || phase === "other_account") return { name: "Sign in again", icon: LogIn, act: onRenew };
  // Also while it is tried again: what has the focus, or is just being pressed, stays.
  if (phase === "retrying" || isRepeated) return { name: "Try now", icon: RefreshCw, act: () => void engine.sendNow() };
  return null;
}
