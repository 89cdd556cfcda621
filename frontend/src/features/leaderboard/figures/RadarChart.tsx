import type { FigureAxis, FigureEntry } from "@/api/contract";
import { pointText, rangeText, share, valueAt } from "./figureData";
import styles from "./Figures.module.css";
import { radarPoint } from "./radar";
import { SeriesShape } from "./SeriesMark";
import { useMarks } from "../charts/useMarks";

interface Props {
  /** Three or more, on which every entry has a value. */
  axes: FigureAxis[];
  entries: FigureEntry[];
}

const WIDTH = 520;
const HEIGHT = 400;
const CENTRE = { x: WIDTH / 2, y: HEIGHT / 2 };
const RADIUS = 140;
const RINGS = [0.25, 0.5, 0.75, 1];
const LABEL_AT = 1.13;

/** One shape for each entry; axes have their number and, where there is space, their name. */
export function RadarChart({ axes, entries }: Props) {
  const marks = useMarks(axes.length * entries.length);
  const at = (axis: number, reach: number) => radarPoint(axis, axes.length, reach * RADIUS, CENTRE);
  const reachOf = (entry: FigureEntry, axis: FigureAxis) => share(valueAt(entry, axis)?.value ?? axis.low, axis);
  const outline = (entry: FigureEntry) => axes.map((axis, place) => at(place, reachOf(entry, axis))).map(({ x, y }) => `${x},${y}`).join(" ");
  const shown = marks.current === null ? undefined : { entry: entries[Math.floor(marks.current / axes.length)], axis: axes[marks.current % axes.length] };
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.chart} role="group" aria-label="Radar of the metrics that all chosen entries have">
        {RINGS.map((ring) => <polygon key={ring} className={styles.ring} points={axes.map((_, place) => at(place, ring)).map(({ x, y }) => `${x},${y}`).join(" ")} />)}
        {axes.map((axis, place) => <Spoke key={axis.key} axis={axis} number={place + 1} end={at(place, 1)} label={at(place, LABEL_AT)} />)}
        {entries.map((entry, place) => <polygon key={entry.id} className={styles.outline} data-place={place} points={outline(entry)} />)}
        {entries.map((entry, place) => axes.map((axis, number) => {
          const { x, y } = at(number, reachOf(entry, axis));
          return (
            <g key={`${entry.id} ${axis.key}`} className={styles.series} data-place={place} {...marks.markProps(place * axes.length + number, `${axis.label}: ${pointText(entry, axis)}, of ${rangeText(axis)}`)}>
              <SeriesShape place={place} x={x} y={y} />
            </g>
          );
        }))}
      </svg>
      <p className={styles.readout}>{shown?.entry && shown.axis ? `${shown.axis.label}: ${pointText(shown.entry, shown.axis)}` : "Point at a mark, or reach it with the arrow keys, to read its value."}</p>
    </>
  );
}

function Spoke({ axis, number, end, label }: { axis: FigureAxis; number: number; end: { x: number; y: number }; label: { x: number; y: number } }) {
  const offset = label.x - CENTRE.x;
  const anchor = Math.abs(offset) < 8 ? "middle" : offset > 0 ? "start" : "end";
  return (
    <g>
      <line className={styles.ring} x1={CENTRE.x} y1={CENTRE.y} x2={end.x} y2={end.y} />
      <text className={styles.tick} x={label.x} y={label.y + 4} textAnchor={anchor}>{number}<tspan className={styles.axisName}> {axis.label}</tspan></text>
    </g>
  );
}
