import type { Thread } from "@/api/contract";
import { formatDateTime } from "@/lib/format";
import styles from "./Threads.module.css";

interface Props {
  messages: Thread["messages"];
  /** Texts that wait on this device. */
  waiting?: { id: string; text: string }[];
}

export function ThreadMessages({ messages, waiting = [] }: Props) {
  return (
    <ol className={styles.messages} aria-label="Messages">
      {messages.map(({ id, author, is_own: isOwn, text, created_at: at }) => (
        <li key={id} data-own={isOwn || undefined}>
          <p className={styles.author}><b>{isOwn ? "You" : author}</b> {formatDateTime(at)}</p>
          <p className={styles.text}>{text}</p>
        </li>
      ))}
      {waiting.map(({ id, text }) => (
        <li key={id} data-own>
          <p className={styles.author}><b>You</b> not sent yet; stored on this device</p>
          <p className={styles.text}>{text}</p>
        </li>
      ))}
    </ol>
  );
}
