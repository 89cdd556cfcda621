import type { FigureAxis, FigureEntry } from "@/api/contract";
import { scoreText } from "@/domains/evaluation/labels";
import { linearTicks } from "../charts/axes";
import { pointText, valueAt } from "./figureData";
import styles from "./Figures.module.css";
import { SeriesShape } from "./SeriesMark";
import { useMarks } from "../charts/useMarks";

interface Props {
  /** One metric over items in the order of the chart. */
  axes: FigureAxis[];
  entries: FigureEntry[];
  chosen: FigureEntry[];
}

const WIDTH = 520;
const HEIGHT = 340;
const MARGIN = { left: 64, right: 52, top: 14, bottom: 54 };
const INNER = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };

/** A line for each entry over the parts of the items; the chosen ones have marks. */
export function LinesChart({ axes, entries, chosen }: Props) {
  const [first] = axes;
  const drawn = chosen.filter((entry) => entries.includes(entry));
  const points = drawn.flatMap((entry) => axes.flatMap((axis, at) => (valueAt(entry, axis) ? [{ entry, axis, at, place: chosen.indexOf(entry) }] : [])));
  const marks = useMarks(points.length);
  if (!first) return null;
  const values = entries.flatMap((entry) => axes.flatMap((axis) => valueAt(entry, axis)?.value ?? []));
  const high = Math.max(first.low + 1e-9, ...values) * 1.05;
  const x = (at: number) => MARGIN.left + (axes.length > 1 ? (INNER.width * at) / (axes.length - 1) : INNER.width / 2);
  const y = (value: number) => MARGIN.top + INNER.height * (1 - (value - first.low) / (high - first.low));
  const line = (entry: FigureEntry) => linePath(axes.map((axis, at) => {
    const value = valueAt(entry, axis);
    return value ? { x: x(at), y: y(value.value) } : null;
  }));
  const current = marks.current === null ? undefined : points[marks.current];
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.chart} role="group" aria-label={`${first.label} from simple to complex questions`}>
        {linearTicks(first.low, high).map((tick) => (
          <g key={tick}>
            <line className={styles.ring} x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y(tick)} y2={y(tick)} />
            <text className={styles.tick} x={MARGIN.left - 8} y={y(tick) + 4} textAnchor="end">{scoreText(tick, first)}</text>
          </g>
        ))}
        {axes.map((axis, at) => <text key={axis.key} className={styles.tick} x={x(at)} y={HEIGHT - MARGIN.bottom + (at % 2 === 0 ? 20 : 40)} textAnchor="middle">{axis.slice}</text>)}
        {entries.filter((entry) => !drawn.includes(entry)).map((entry) => <path key={entry.id} className={styles.other} data-kind={entry.kind} d={line(entry)} />)}
        {drawn.map((entry) => <path key={entry.id} className={styles.line} data-place={chosen.indexOf(entry)} d={line(entry)} />)}
        {points.map(({ entry, axis, at, place }, number) => (
          <g key={`${entry.id} ${axis.key}`} className={styles.series} data-place={place} {...marks.markProps(number, `${axis.slice}: ${pointText(entry, axis)}`)}>
            <SeriesShape place={place} x={x(at)} y={y(valueAt(entry, axis)?.value ?? 0)} />
          </g>
        ))}
      </svg>
      <p className={styles.readout}>{current ? `${current.axis.slice}: ${pointText(current.entry, current.axis)}` : "Point at a mark, or reach it with the arrow keys, to read its value."}</p>
    </>
  );
}

/** A line through the points that ends before one that is missing and begins again after it. */
function linePath(points: ({ x: number; y: number } | null)[]): string {
  return points.flatMap((point, at) => {
    if (!point) return [];
    const isFirst = !points[at - 1];
    // A point between two gaps is a dot: a line of no length with round ends.
    return [`${isFirst ? "M" : "L"}${point.x},${point.y}${isFirst && !points[at + 1] ? "h0" : ""}`];
  }).join("");
}
