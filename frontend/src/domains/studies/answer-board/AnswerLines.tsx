import type { AnswerLine } from "../answerLines";
import styles from "./AnswerLines.module.css";

/** An answer that is only read; parts without text are left out, except the first. */
export function AnswerLines({ lines }: { lines: AnswerLine[] }) {
  return (
    <dl className={styles.answer}>
      {lines.map(([label, text], at) => (text || at === 0) && <div key={label}><dt>{label}</dt><dd>{text || "none"}</dd></div>)}
    </dl>
  );
}
