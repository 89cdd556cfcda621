import { ArrowRight, Check, CloudOff, LogIn, RefreshCw, TriangleAlert, type LucideIcon } from "lucide-react";
import { useSyncExternalStore } from "react";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { type Phase, type SyncEngine, useSyncState } from "@/lib/offline";
import { saveWords, type SaveWords } from "./saveWords";
import styles from "./SaveState.module.css";

const ICONS: Record<SaveWords["tone"], LucideIcon | null> = {
  quiet: null,
  good: Check,
  warn: CloudOff,
  bad: TriangleAlert,
};

interface Props {
  engine: SyncEngine;
  onRenew: () => void;
  /** Opens the question whose answer waits for her. */
  onHeld: (assignment: Id) => void;
}

/** What is saved. Trouble is read out; that all goes well is only shown. */
export function SaveState({ engine, onRenew, onHeld }: Props) {
  const state = useSyncState(engine) ?? engine.state;
  const now = useSecond(state.phase === "retrying");
  const words = saveWords(state, now);
  const Icon = ICONS[words.tone];
  const held = state.queue.find((item) => item.hold)?.assignment;
  const way = wayOut(state.phase, engine, onRenew) ?? (held ? { name: HELD, icon: ArrowRight, act: () => onHeld(held) } : null);
  return (
    <div className={styles.state} data-tone={words.tone}>
      {Icon && <Icon size={16} aria-hidden />}
      <span className={styles.long}>{words.text}</span>
      <span className={styles.short} title={words.text}>
        {words.short}
      </span>
      {way && (
        <Button look="quiet" size="icon" onPress={way.act} aria-label={way.name}>
          <way.icon size={16} aria-hidden />
        </Button>
      )}
      <Trouble words={words} />
    </div>
  );
}

const HELD = "Go to the answer that is not sent";

/** Said once for each kind of trouble, not at every second of its countdown. */
function Trouble({ words }: { words: SaveWords }) {
  const isTrouble = words.tone === "warn" || words.tone === "bad";
  return (
    <span className="visually-hidden" role="status">
      {isTrouble ? words.text.replace(/ in \d+ s/, "") : ""}
    </span>
  );
}

function wayOut(phase: Phase, engine: SyncEngine, onRenew: () => void) {
  if (phase === "signed_out" || phase === "other_account") return { name: "Sign in again", icon: LogIn, act: onRenew };
  if (phase === "retrying") return { name: "Try now", icon: RefreshCw, act: () => void engine.sendNow() };
  return null;
}

function everySecond(tell: () => void): () => void {
  const timer = setInterval(tell, 1000);
  return () => clearInterval(timer);
}

const never = () => () => {};

/** The time to the second, drawn anew at each while it is wanted. */
function useSecond(ticking: boolean): number {
  return 1000 * useSyncExternalStore(ticking ? everySecond : never, () => Math.floor(Date.now() / 1000));
}
