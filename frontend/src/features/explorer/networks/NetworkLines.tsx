import series from "@/components/LineSeries.module.css";
import styles from "./Networks.module.css";

export interface NetworkLine {
  /** Of the network, for its colour. */
  place: number;
  points: [number, number][];
}

interface Axis {
  label: string;
  /** Of the least and the greatest value, which stand at its ends. */
  text: (value: number) => string;
}

interface Props {
  lines: NetworkLine[];
  xAxis: Axis;
  yAxis: Axis;
}

const WIDTH = 360;
const HEIGHT = 240;
const MARGIN = { left: 52, right: 12, top: 8, bottom: 40 };
const GAP = 4; // between an axis and the lines

/** The table beside it has every value, so that the ends of its axes are the only numbers. */
export function NetworkLines({ lines, xAxis, yAxis }: Props) {
  const all = lines.flatMap(({ points }) => points);
  const xs = all.map(([value]) => value);
  const ys = all.map(([, value]) => value);
  const [left, right, bottom, top] = [MARGIN.left, WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom, MARGIN.top];
  const x = scale(xs, left, right);
  const y = scale(ys, bottom, top);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.chart} aria-hidden>
      <line className={series.grid} x1={left} x2={right} y1={bottom + GAP} y2={bottom + GAP} />
      <line className={series.grid} x1={left - GAP} x2={left - GAP} y1={top} y2={bottom} />
      {ends(xs).map((value) => <text key={value} className={series.tick} x={x(value)} y={bottom + 18} textAnchor={x(value) === right ? "end" : "middle"}>{xAxis.text(value)}</text>)}
      {ends(ys).map((value) => <text key={value} className={series.tick} x={left - 2 * GAP} y={y(value) + 4} textAnchor="end">{yAxis.text(value)}</text>)}
      <text className={series.tick} x={(left + right) / 2} y={HEIGHT - 6} textAnchor="middle">{xAxis.label}</text>
      <text className={series.tick} transform={`translate(12 ${(top + bottom) / 2}) rotate(-90)`} textAnchor="middle">{yAxis.label}</text>
      {lines.map(({ place, points }) => (
        <g key={place}>
          <polyline className={series.line} data-place={place} points={points.map(([at, value]) => `${x(at)},${y(value)}`).join(" ")} />
          {points.map(([at, value]) => <circle key={at} className={series.dot} data-place={place} cx={x(at)} cy={y(value)} r={2.5} />)}
        </g>
      ))}
    </svg>
  );
}

const ends = (values: number[]) => (values.length === 0 ? [] : [...new Set([Math.min(...values), Math.max(...values)])]);

function scale(values: number[], from: number, to: number): (value: number) => number {
  const low = Math.min(...values);
  const width = Math.max(...values) - low;
  return (value) => (width > 0 ? from + ((to - from) * (value - low)) / width : (from + to) / 2);
}
