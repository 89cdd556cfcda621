import styles from "./Interval.module.css";

const WIDTH = 120;
const HEIGHT = 16;
const EDGE = 5;

interface Props {
  value: number | null;
  low: number | null;
  high: number | null;
  scale: [number, number];
}

/** A number between its bounds on the whole scale; the words stand beside it. */
export function Interval({ value, low, high, scale: [from, to] }: Props) {
  const at = (number: number) => {
    const share = (Math.min(Math.max(number, from), to) - from) / (to - from);
    return EDGE + share * (WIDTH - 2 * EDGE);
  };
  const middle = HEIGHT / 2;
  return (
    <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.interval} aria-hidden>
      <line x1={EDGE} x2={WIDTH - EDGE} y1={middle} y2={middle} className={styles.scale} />
      {from < 0 && to > 0 && <line x1={at(0)} x2={at(0)} y1={middle - 4} y2={middle + 4} className={styles.zero} />}
      {low !== null && high !== null && (
        <line x1={at(low)} x2={at(high)} y1={middle} y2={middle} className={styles.range} />
      )}
      {value !== null && <circle cx={at(value)} cy={middle} r={4} className={styles.value} />}
    </svg>
  );
}
