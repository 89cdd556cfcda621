import styles from "./ScoreScale.module.css";

const SCALES: Record<string, [number, number]> = { percent: [0, 100], fraction: [0, 1], score_1_5: [1, 5] };

/** The ends of a unit's scale; one without an end goes to the largest value. */
export function scaleOf(unit: string, values: number[]): [number, number] {
  return SCALES[unit] ?? [0, Math.max(...values, Number.EPSILON)];
}

interface Props {
  value: number;
  low?: number | null;
  high?: number | null;
  scale: [number, number];
  /** A line to compare with, such as chance. */
  reference?: number | null;
}

/** A value as a dot, with its interval as a whisker where it is known. The figures stand beside it. */
export function ScoreScale({ value, low = null, high = null, scale: [from, to], reference = null }: Props) {
  const percent = (number: number) => (100 * (Math.min(Math.max(number, from), to) - from)) / (to - from);
  return (
    <span className={styles.scale} data-scale aria-hidden>
      {reference !== null && <span className={styles.reference} style={{ left: `${percent(reference)}%` }} />}
      {low !== null && high !== null && (
        <span className={styles.whisker} style={{ left: `${percent(low)}%`, width: `${percent(high) - percent(low)}%` }} />
      )}
      <span className={styles.dot} style={{ left: `${percent(value)}%` }} />
    </span>
  );
}
