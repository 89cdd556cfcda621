import type { GuidelineText } from "@/api/contract";
import { formatLongDate } from "@/lib/format";
import styles from "./Guidelines.module.css";

/** The text as it was written, with its lines. */
export function GuidelineBody({ guidelines: { number, text, created_at: at } }: { guidelines: GuidelineText }) {
  return (
    <div className={styles.body}>
      <p className={styles.quiet}>Version {number}, of {formatLongDate(at)}</p>
      <p className={styles.text}>{text}</p>
    </div>
  );
}
