import { formatTime } from "@/lib/format";
import styles from "./ConnectionStatus.module.css";
import type { ConnectionState } from "@/lib/ReconnectingSocket";

const CONNECTION_LABELS: Record<ConnectionState, string> = {
  connecting: "connecting",
  live: "updates live",
  reconnecting: "reconnecting",
  checking: "checking every 15 s",
};

interface Props {
  connection: ConnectionState;
  /** The last reading failed; what is shown is older. */
  isFailing: boolean;
  readAt: number;
}

export function ConnectionStatus({ connection, isFailing, readAt }: Props) {
  const fresh = connection === "live" && !isFailing;
  const state = isFailing && connection === "live" ? "checking" : connection;
  return (
    <span className={styles.live} data-fresh={fresh || undefined} role="status">
      <span className={styles.dot} aria-hidden />
      {CONNECTION_LABELS[state]}
      {isFailing && <>, not reached since {formatTime(new Date(readAt).toISOString())}</>}
    </span>
  );
}
