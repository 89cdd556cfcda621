import { ChevronDown, ChevronUp } from "lucide-react";
import type { LeaderboardRow } from "@/api/contract";
import { DataTable } from "@/components/DataTable";
import { directionLabel, publishedTableName } from "./labels";
import styles from "./ResultsTable.module.css";
import { RowName } from "./RowName";
import { scaleOf, ScoreScale } from "./ScoreScale";
import { showsSettings, type View } from "./view";

/** One column of a printed table: the model, the number as printed, and where it is on its scale. */
export function FoldedTable({ view, rows, onSort }: { view: View; rows: LeaderboardRow[]; onSort: () => void }) {
  const { table, column, order } = view;
  const isAscending = (column.direction === "lower") === (order === "best");
  const sort = isAscending ? "ascending" : "descending";
  const Arrow = isAscending ? ChevronUp : ChevronDown;
  const cellOf = (row: LeaderboardRow) => row.cells.find((one) => one.column === column.key);
  const scale = scaleOf(column.unit, rows.flatMap((row) => cellOf(row)?.value ?? []));
  return (
    <DataTable
      label={`${table.paper}, ${publishedTableName(table)}: ${table.title}`}
      columns={[
        "Model",
        {
          key: column.key,
          label: table.is_ranked
            ? <button type="button" className={styles.sort} onClick={onSort}>{column.label}<Arrow size={14} aria-hidden /></button>
            : column.label,
          isNumeric: true,
          sort: table.is_ranked ? sort : undefined,
        },
        { key: "scale", label: <span className={styles.ends}><span>{scale[0]}</span><span>{`${Number(scale[1].toPrecision(3))}${column.unit === "percent" ? "%" : ""}`}</span></span>, className: styles.wide },
      ]}
    >
      {rows.map((row) => {
        const cell = cellOf(row);
        const value = cell?.value ?? null;
        return (
          <tr key={row.id}>
            <th scope="row" className={styles.name}><RowName row={row} showsSetting={showsSettings(table)} /></th>
            <td data-numeric>{value === null ? <span className={styles.missing}>not given</span> : cell?.text}</td>
            <td>{value !== null && <ScoreScale value={value} scale={scale} />}</td>
          </tr>
        );
      })}
    </DataTable>
  );
}

/** '0 to 1, higher is better', with what a fraction is. */
export function scaleSentence({ column: { direction, scale, unit } }: View): string {
  const share = unit === "fraction" ? " (0.25 is 25%)" : "";
  return `${scale === "%" ? "Per cent" : capitalise(scale)}${share}, ${directionLabel(direction)}.`;
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
