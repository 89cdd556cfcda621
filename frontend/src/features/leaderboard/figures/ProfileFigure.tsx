import type { Figure, FigureAxis, FigureEntry } from "@/api/contract";
import { DataTable } from "@/components/DataTable";
import { scoreText } from "@/domains/evaluation/labels";
import { useUrlParams } from "@/lib/useUrlParams";
import { EntryFields } from "./EntryFields";
import { chooseEntries, entryLabel, KIND_LABELS, leaderSentence, rangeText, share, sharedAxes, valueAt } from "./figureData";
import styles from "./Figures.module.css";
import { RadarChart } from "./RadarChart";
import { SeriesMark, SeriesShape } from "./SeriesMark";

const LEAST_AXES = 3;

/** Metrics of all tasks of a paper, of up to three entries: SerenQA's Figure 6, and the same as dots on their scales. */
export function ProfileFigure({ figure }: { figure: Figure }) {
  const [address] = useUrlParams();
  const chosen = chooseEntries(figure, address.getAll("profile"));
  const shown = figure.axes.filter((axis) => chosen.some((entry) => valueAt(entry, axis)));
  const axes = sharedAxes(shown, chosen);
  return (
    <>
      <EntryFields figure={figure} chosen={chosen} parameter="profile" />
      <div className={styles.beside}>
        <figure className={styles.figure}>
          {axes.length >= LEAST_AXES
            ? <RadarChart axes={axes} entries={chosen} />
            : <p className={styles.text}>A radar needs three metrics that all chosen entries have. The table has what there is.</p>}
          <figcaption className={styles.text}>
            {leaderSentence(figure, "printed")} Each axis runs over the range of its metric. Areas depend on the order of the axes; read the values from the table.
          </figcaption>
        </figure>
        <ProfileTable figure={figure} axes={shown} chosen={chosen} />
      </div>
    </>
  );
}

function ProfileTable({ figure, axes, chosen }: { figure: Figure; axes: FigureAxis[]; chosen: FigureEntry[] }) {
  return (
    <DataTable
      label="Metrics of the chosen entries"
      minWidth={330 + 110 * chosen.length}
      columns={[
        "Metric", { label: "All entries", key: "range" },
        ...chosen.map((entry, place) => ({ key: entry.id, isNumeric: true, label: <span className={styles.head}><SeriesMark place={place} /> <span>{entryLabel(entry)}<span className={styles.kind}>{KIND_LABELS[entry.kind]}</span></span></span> })),
      ]}
    >
      {axes.map((axis, at) => (
        <tr key={axis.key}>
          <th scope="row">{at + 1} {axis.label}<span className={styles.kind}>{axis.track_title}, {axis.slice}, {rangeText(axis)}</span></th>
          <td><DotStrip axis={axis} entries={figure.entries} chosen={chosen} /></td>
          {chosen.map((entry) => <td key={entry.id} data-numeric className="number"><ProfileValue entry={entry} axis={axis} /></td>)}
        </tr>
      ))}
    </DataTable>
  );
}

function ProfileValue({ entry, axis }: { entry: FigureEntry; axis: FigureAxis }) {
  const value = valueAt(entry, axis);
  if (!value) return <span className={styles.small}>no value</span>;
  const notes = [value.slice === axis.slice ? "" : value.slice, value.setting].filter(Boolean);
  return <>{scoreText(value.value, axis)}{notes.length > 0 && <span className={styles.kind}>{notes.join(", ")}</span>}</>;
}

const STRIP = { width: 120, height: 22, margin: 9 };

/** Every entry as a dot on the range of a metric, the chosen ones with their shapes; the cells beside have the numbers. */
function DotStrip({ axis, entries, chosen }: { axis: FigureAxis; entries: FigureEntry[]; chosen: FigureEntry[] }) {
  const x = (value: number) => STRIP.margin + (STRIP.width - 2 * STRIP.margin) * share(value, axis);
  const middle = STRIP.height / 2;
  return (
    <svg viewBox={`0 0 ${STRIP.width} ${STRIP.height}`} width={STRIP.width} height={STRIP.height} aria-hidden className={styles.strip}>
      <line x1={STRIP.margin} x2={STRIP.width - STRIP.margin} y1={middle} y2={middle} />
      {entries.map((entry) => {
        const value = valueAt(entry, axis);
        return value && !chosen.includes(entry) && <circle key={entry.id} cx={x(value.value)} cy={middle} r={3} />;
      })}
      {chosen.map((entry, place) => {
        const value = valueAt(entry, axis);
        return value && <g key={entry.id} className={styles.series} data-place={place}><SeriesShape place={place} x={x(value.value)} y={middle} /></g>;
      })}
    </svg>
  );
}
