import type { Figure } from "@/api/contract";
import { DataTable } from "@/components/DataTable";
import { formatParameters, intervalText, scoreText } from "@/domains/evaluation/labels";
import { useUrlParams } from "@/lib/useUrlParams";
import type { ChartPoint } from "../charts/axes";
import { ScatterChart } from "../charts/ScatterChart";
import { AxisFields } from "./AxisFields";
import { chooseAxis, entryLabel, KIND_LABELS, scaleSentence, valueAt } from "./figureData";
import styles from "./Figures.module.css";
import { KindLegend } from "./KindLegend";

/** A score against the number of parameters: SerenQA's Figure 5, of any metric and items. */
export function ScaleFigure({ figure }: { figure: Figure }) {
  const [address] = useUrlParams();
  const axis = chooseAxis(figure, address.get("of"), address.get("over"));
  if (!axis) return null;
  const entries = figure.entries
    .filter((entry) => valueAt(entry, axis))
    .toSorted((one, other) => (one.parameters ?? 0) - (other.parameters ?? 0));
  const points = entries.flatMap((entry): ChartPoint[] => {
    const value = valueAt(entry, axis);
    if (!value || entry.parameters === null) return [];
    const kind = entry.kind === "baseline" ? "evaluated" : entry.kind;
    return [{ id: entry.id, name: entryLabel(entry), x: entry.parameters, score: value.value, low: value.low, high: value.high, kind }];
  });
  return (
    <>
      <AxisFields figure={figure} axis={axis} />
      <div className={styles.beside}>
        <figure className={styles.figure}>
          <ScatterChart label={`${axis.label} on ${axis.slice} against parameters`} points={points} xLabel="Parameters" yLabel={axis.label} xText={formatParameters} unit={axis.unit} />
          <KindLegend entries={entries} />
          <figcaption className={styles.text}>{scaleSentence(figure, axis)} Sizes are those that models state; a distilled or sparse model may use fewer.</figcaption>
        </figure>
        <DataTable
          label={`${axis.label} on ${axis.slice} by size`}
          minWidth={520}
          columns={["Entry", { label: "Parameters", isNumeric: true }, { label: axis.label, isNumeric: true }, "95% interval", "Source"]}
        >
          {entries.map((entry) => {
            const value = valueAt(entry, axis);
            return value && (
              <tr key={entry.id}>
                <th scope="row">{entryLabel(entry)}</th>
                <td data-numeric>{entry.parameters === null ? "not stated" : formatParameters(entry.parameters)}</td>
                <td data-numeric className="number">{scoreText(value.value, axis)}</td>
                <td className="number">{intervalText([value.value, value.low, value.high], axis)}</td>
                <td className={styles.small}>{KIND_LABELS[entry.kind]}, {entry.source}</td>
              </tr>
            );
          })}
        </DataTable>
      </div>
    </>
  );
}
