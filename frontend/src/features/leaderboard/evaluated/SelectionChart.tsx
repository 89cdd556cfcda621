import chart from "@/domains/evaluation/AccuracyChart.module.css";
import type { SelectionAccuracy } from "@/domains/evaluation/groundedness";

const WIDTH = 360;
const ROW = 28;
const MARGIN = { left: 170, right: 16, top: 6, bottom: 24 };
const TICKS = [0, 25, 50, 75, 100];
const x = (value: number) => MARGIN.left + ((WIDTH - MARGIN.left - MARGIN.right) * value) / 100;
const y = (place: number) => MARGIN.top + ROW * (place + 0.5);

/** Accuracy in percent with its interval, a row for each way of selection; a table beside it has the figures. */
export function SelectionChart({ selections, label }: { selections: SelectionAccuracy[]; label: (one: SelectionAccuracy) => string }) {
  const bottom = MARGIN.top + ROW * selections.length;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${bottom + MARGIN.bottom}`} className={chart.chart} aria-hidden>
      {TICKS.map((tick) => (
        <g key={tick}>
          <line className={chart.grid} x1={x(tick)} x2={x(tick)} y1={MARGIN.top} y2={bottom} />
          <text className={chart.label} x={x(tick)} y={bottom + 16} textAnchor="middle">{tick}</text>
        </g>
      ))}
      {selections.map((one, place) => (
        <g key={one.selection}>
          <text className={chart.label} x={MARGIN.left - 8} y={y(place) + 4} textAnchor="end">{label(one)}</text>
          {one.accuracy.low !== null && one.accuracy.high !== null && (
            <line className={chart.whisker} x1={x(one.accuracy.low)} x2={x(one.accuracy.high)} y1={y(place)} y2={y(place)} />
          )}
          <circle className={one.selection === "groundedness" ? chart.dot : chart.other} cx={x(one.accuracy.value)} cy={y(place)} r={5} />
        </g>
      ))}
    </svg>
  );
}
