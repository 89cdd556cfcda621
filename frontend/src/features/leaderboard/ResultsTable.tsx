import type { LeaderboardCell, LeaderboardColumn, LeaderboardRow } from "@/api/contract";
import { ColumnHeader } from "./ColumnHead";
import { publishedTableName } from "./labels";
import styles from "./ResultsTable.module.css";
import { RowName } from "./RowName";
import { showsSettings, type View } from "./view";

/** With more columns than this, heads are shorter. */
const MAX_COMFORTABLE_COLUMNS = 6;

/** A whole printed table; scrolls inside itself, with the entry in sight. */
export function ResultsTable({ view, rows, onSort }: { view: View; rows: LeaderboardRow[]; onSort: (column: LeaderboardColumn) => void }) {
  const { table, columns, order } = view;
  const isGrouped = table.slices.length > 1 && table.metrics.length > 1;
  const isDense = columns.length > MAX_COMFORTABLE_COLUMNS;
  return (
    <div className={styles.scroll} role="region" aria-label="Results" tabIndex={0}>
      <table className={`${styles.table} ${isDense ? styles.dense : ""}`}>
        <caption className="visually-hidden">{table.paper}, {publishedTableName(table)}: {table.title}</caption>
        <thead>
          {isGrouped && <GroupHeaderRow view={view} />}
          <tr>
            <th scope="col" className={styles.entry}>Model</th>
            {columns.map((column, at) => (
              <ColumnHeader
                key={column.key}
                column={column}
                title={headerTitle(view, column)}
                first={view.column.key === column.key ? order : null}
                isDense={isDense}
                startsGroup={isGrouped && column.slice !== columns[at - 1]?.slice}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} columns={columns} isGrouped={isGrouped} showsSetting={showsSettings(table)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The metric; where one metric is over several slices, the slice distinguishes the columns. */
function headerTitle({ table }: View, { label, slice }: LeaderboardColumn): string {
  if (table.metrics.length > 1 || table.slices.length === 1) return label;
  return table.slices.find(({ key }) => key === slice)?.label ?? slice;
}

function GroupHeaderRow({ view: { table } }: { view: View }) {
  return (
    <tr className={styles.groups}>
      <td className={styles.entry} />
      {table.slices.map(({ key, label }) => (
        <th key={key} scope="colgroup" colSpan={table.metrics.length} data-starts-group>{label}</th>
      ))}
    </tr>
  );
}

interface RowProps {
  row: LeaderboardRow;
  columns: LeaderboardColumn[];
  isGrouped: boolean;
  showsSetting: boolean;
}

function Row({ row, columns, isGrouped, showsSetting }: RowProps) {
  const cells = new Map(row.cells.map((cell) => [cell.column, cell]));
  return (
    <tr>
      <th scope="row" className={styles.entry}><RowName row={row} showsSetting={showsSetting} /></th>
      {columns.map(({ key, slice }, at) => (
        <td key={key} className={styles.value} data-starts-group={(isGrouped && slice !== columns[at - 1]?.slice) || undefined}>
          <Value cell={cells.get(key)} />
        </td>
      ))}
    </tr>
  );
}

function Value({ cell }: { cell: LeaderboardCell | undefined }) {
  if (!cell?.text) return <span className={styles.missing}>not given</span>;
  if (!cell.place) return cell.text;
  return (
    <>
      <span className={styles[cell.place]}>{cell.text}</span>
      <span className="visually-hidden"> {cell.place}</span>
    </>
  );
}
