import type { Board } from "@/api/contract";
import styles from "./Board.module.css";
import { figuresOf } from "./words";

export function Figures({ board }: { board: Board }) {
  return (
    <dl className={styles.figures} aria-label="The study in four figures">
      {figuresOf(board).map(({ label, value, note, known }) => (
        <div key={label} className={styles.figure}>
          <dt>{label}</dt>
          <dd>
            <span className={styles.value} data-unknown={!known || undefined}>
              {value}
            </span>{" "}
            <span className={styles.note}>{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
