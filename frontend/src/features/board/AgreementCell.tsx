import type { BoardBatch } from "@/api/contract";
import styles from "./AgreementCell.module.css";
import { Interval } from "./Interval";
import { agreementOf, type measureNamed } from "./measures";

interface Props {
  batch: BoardBatch;
  measure: ReturnType<typeof measureNamed>;
}

/** The interval drawn, the number, and what it lies between; words where there is none. */
export function AgreementCell({ batch, measure }: Props) {
  const shown = agreementOf(batch, measure);
  if (shown.kind === "words") {
    return (
      <div className={styles.cell}>
        <span className={styles.words} title={shown.long}>
          {shown.text}
        </span>
      </div>
    );
  }
  const { stat, scale, text, range, long } = shown;
  return (
    <div className={styles.cell} title={long}>
      <Interval value={stat.value} low={stat.low} high={stat.high} scale={scale} />
      <span className={styles.value}>{text}</span>
      <span className={styles.range}>{range}</span>
    </div>
  );
}
