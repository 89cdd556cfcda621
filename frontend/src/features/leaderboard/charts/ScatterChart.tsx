import { scoreText } from "@/domains/evaluation/labels";
import { decadeTicks, linearTicks, type ChartPoint } from "./axes";
import styles from "./Charts.module.css";
import { useMarks, type MarkProps } from "./useMarks";

interface Props {
  /** What the chart shows, for those who do not see it; the text beside it has the numbers. */
  label: string;
  points: ChartPoint[];
  /** Points joined by a line, in order of x. */
  front?: ChartPoint[];
  xLabel: string;
  yLabel: string;
  xText: (value: number) => string;
  unit: string;
}

const WIDTH = 520;
const HEIGHT = 320;
const MARGIN = { left: 88, right: 56, top: 12, bottom: 58 };
const INNER = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };

/** Scores over a logarithmic axis, with 95% intervals. */
export function ScatterChart({ label, points, front = [], xLabel, yLabel, xText, unit }: Props) {
  const xTicks = decadeTicks(points.map((point) => point.x));
  const [yLow, yHigh] = range(points.flatMap(({ score, low, high }) => [score, low ?? score, high ?? score]));
  const [first, last] = [Math.log10(xTicks[0] ?? 1), Math.log10(xTicks.at(-1) ?? 10)];
  // Zero has no place on a logarithmic axis: it stands at the left end.
  const share = (value: number) => (value > 0 ? (Math.log10(value) - first) / (last - first) : 0);
  const x = (value: number) => MARGIN.left + INNER.width * Math.min(Math.max(share(value), 0), 1);
  const y = (value: number) => MARGIN.top + INNER.height * (1 - (value - yLow) / (yHigh - yLow));
  const marks = useMarks(points.length);
  const current = marks.current === null ? undefined : points[marks.current];
  const text = (point: ChartPoint) => `${point.name}: ${scoreText(point.score, { unit })} at ${xText(point.x)}`;
  return (
    <>
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.chart} role="group" aria-label={label}>
      {linearTicks(yLow, yHigh).map((tick) => (
        <g key={tick}>
          <line className={styles.grid} x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y(tick)} y2={y(tick)} />
          <text className={styles.tick} x={MARGIN.left - 8} y={y(tick) + 4} textAnchor="end">{scoreText(tick, { unit })}</text>
        </g>
      ))}
      {xTicks.map((tick) => <text key={tick} className={styles.tick} x={x(tick)} y={HEIGHT - MARGIN.bottom + 22} textAnchor="middle">{xText(tick)}</text>)}
      <text className={styles.axis} x={MARGIN.left + INNER.width / 2} y={HEIGHT - 8} textAnchor="middle">{xLabel}</text>
      <text className={styles.axis} transform={`translate(18 ${MARGIN.top + INNER.height / 2}) rotate(-90)`} textAnchor="middle">{yLabel}</text>
      <polyline className={styles.front} points={front.map((point) => `${x(point.x)},${y(point.score)}`).join(" ")} />
      {points.map((point, at) => <Mark key={point.id} point={point} x={x(point.x)} y={y} markProps={marks.markProps(at, text(point))} />)}
    </svg>
    <p className={styles.readout}>{current ? text(current) : "Point at a mark, or reach it with the arrow keys, to read its value."}</p>
    </>
  );
}

function range(values: number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const padding = (high - low || Math.abs(high) || 1) * 0.08;
  return [low - padding, high + padding];
}

const RADIUS = 5;

/** A filled disc was evaluated here, a ring is simulated, a square is printed. */
function Mark({ point, x, y, markProps }: { point: ChartPoint; x: number; y: (value: number) => number; markProps: MarkProps }) {
  const at = y(point.score);
  return (
    <g className={styles.mark} data-kind={point.kind} {...markProps}>
      {point.low !== null && point.high !== null && <line className={styles.interval} x1={x} x2={x} y1={y(point.low)} y2={y(point.high)} />}
      {point.kind === "printed"
        ? <rect x={x - RADIUS} y={at - RADIUS} width={2 * RADIUS} height={2 * RADIUS} />
        : <circle cx={x} cy={at} r={RADIUS} />}
    </g>
  );
}
