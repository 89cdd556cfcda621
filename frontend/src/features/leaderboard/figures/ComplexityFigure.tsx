import type { Figure, FigureAxis, FigureEntry } from "@/api/contract";
import { DataTable } from "@/components/DataTable";
import { scoreText } from "@/domains/evaluation/labels";
import { useUrlParams } from "@/lib/useUrlParams";
import { AxisFields } from "./AxisFields";
import { EntryFields } from "./EntryFields";
import { chooseAxis, chooseEntries, declineSentence, entryLabel, KIND_LABELS, valueAt } from "./figureData";
import styles from "./Figures.module.css";
import { LinesChart } from "./LinesChart";
import { SeriesMark } from "./SeriesMark";

const GAP = "A line has a gap where an entry has no score or the board hides it: it, or its difference from others, is over fewer than five test items.";

/** A metric over questions from simple to complex: SerenQA's Figure 7. */
export function ComplexityFigure({ figure }: { figure: Figure }) {
  const [address] = useUrlParams();
  const chosen = chooseEntries(figure, address.getAll("lines"));
  const metric = chooseAxis(figure, address.get("of"), null);
  if (!metric) return null;
  const axes = figure.axes.filter((axis) => axis.metric === metric.metric);
  const entries = figure.entries.filter((entry) => axes.some((axis) => valueAt(entry, axis)));
  const hasGap = entries.some((entry) => axes.some((axis) => !valueAt(entry, axis)));
  return (
    <>
      <AxisFields figure={figure} axis={metric} hasItems={false} />
      <EntryFields figure={figure} chosen={chosen} parameter="lines" />
      <div className={styles.beside}>
        <figure className={styles.figure}>
          <LinesChart axes={axes} entries={entries} chosen={chosen} />
          <figcaption className={styles.text}>
            {declineSentence(figure, axes)} Thin lines are the other entries. {hasGap && GAP}
          </figcaption>
        </figure>
        <ComplexityTable axes={axes} entries={entries} chosen={chosen} label={metric.label} />
      </div>
    </>
  );
}

interface TableProps {
  axes: FigureAxis[];
  entries: FigureEntry[];
  chosen: FigureEntry[];
  label: string;
}

function ComplexityTable({ axes, entries, chosen, label }: TableProps) {
  return (
    <DataTable label={`${label} by the complexity of the question`} minWidth={260 + 90 * axes.length} columns={["Entry", ...axes.map(({ slice }) => ({ label: slice, isNumeric: true }))]}>
      {entries.map((entry) => {
        const place = chosen.indexOf(entry);
        return (
          <tr key={entry.id}>
            <th scope="row">{place >= 0 && <SeriesMark place={place} />} {entryLabel(entry)}<span className={styles.kind}>{KIND_LABELS[entry.kind]}, {entry.source}</span></th>
            {axes.map((axis) => {
              const value = valueAt(entry, axis);
              return <td key={axis.key} data-numeric className="number">{value ? scoreText(value.value, axis) : <span className={styles.small}>none</span>}</td>;
            })}
          </tr>
        );
      })}
    </DataTable>
  );
}
