import { clock } from "@/lib/format";
import type { LineState } from "./line";
import styles from "./LiveWord.module.css";

const WORDS: Record<LineState, string> = {
  connecting: "connecting",
  live: "live",
  reconnecting: "reconnecting",
  checking: "checking every 15 s",
};

interface Props {
  line: LineState;
  /** The last reading failed; what is shown is older. */
  failing: boolean;
  readAt: number;
}

/** How fresh the board is. */
export function LiveWord({ line, failing, readAt }: Props) {
  const fresh = line === "live" && !failing;
  const state = failing && line === "live" ? "checking" : line;
  return (
    <span className={styles.live} data-fresh={fresh || undefined} role="status">
      <span className={styles.dot} aria-hidden />
      {WORDS[state]}
      {failing && <>, not reached since {clock(new Date(readAt).toISOString())}</>}
    </span>
  );
}
