import type { DashboardBatch } from "@/api/contract";
import type { MeasureInfo } from "@/domains/studies/studyKind";
import styles from "./AgreementCell.module.css";
import intervalStyles from "./Interval.module.css";
import { measureDisplay } from "./measures";

/** The interval as a drawing, the number and its bounds; text where there is none. */
export function AgreementCell({ batch, measure }: { batch: DashboardBatch; measure: MeasureInfo }) {
  const shown = measureDisplay(batch, measure);
  if (shown.kind === "words") {
    return <div className={styles.cell}><span className={styles.words} title={shown.long}>{shown.text}</span></div>;
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

const WIDTH_PX = 120;
const HEIGHT_PX = 16;
const EDGE_PX = 5;

interface IntervalProps {
  value: number | null;
  low: number | null;
  high: number | null;
  scale: [number, number];
}

/** A number between its bounds on the whole scale; the words stand beside it. */
export function Interval({ value, low, high, scale: [from, to] }: IntervalProps) {
  const xPosition = (number: number) => {
    const share = (Math.min(Math.max(number, from), to) - from) / (to - from);
    return EDGE_PX + share * (WIDTH_PX - 2 * EDGE_PX);
  };
  const middle = HEIGHT_PX / 2;
  return (
    <svg width={WIDTH_PX} height={HEIGHT_PX} viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`} className={intervalStyles.interval} aria-hidden>
      <line x1={EDGE_PX} x2={WIDTH_PX - EDGE_PX} y1={middle} y2={middle} className={intervalStyles.scale} />
      {from < 0 && to > 0 && <line x1={xPosition(0)} x2={xPosition(0)} y1={middle - 4} y2={middle + 4} className={intervalStyles.zero} />}
      {low !== null && high !== null && (
        <line x1={xPosition(low)} x2={xPosition(high)} y1={middle} y2={middle} className={intervalStyles.range} />
      )}
      {value !== null && <circle cx={xPosition(value)} cy={middle} r={4} className={intervalStyles.value} />}
    </svg>
  );
}
