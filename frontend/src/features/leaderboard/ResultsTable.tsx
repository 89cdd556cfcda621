import { Tag } from "@/components/Tag";
import type { LeaderboardCell, LeaderboardColumn, LeaderboardRow } from "@/api/contract";
import { ColumnHead } from "./ColumnHead";
import styles from "./ResultsTable.module.css";
import { canSwitchSlice, EVERY_SLICE, showsSettings, type View } from "./view";
import { printedName } from "./words";

interface Props {
  view: View;
  rows: LeaderboardRow[];
  onSort: (column: LeaderboardColumn) => void;
}

/** With more columns than this, heads say the same in fewer words. */
const MOST_ROOMY = 6;

/** Entries by row, printed numbers by column; scrolls inside itself, with the entry in sight. */
export function ResultsTable({ view, rows, onSort }: Props) {
  const { table, columns, sort } = view;
  const isGrouped = canSwitchSlice(table) && view.slice === EVERY_SLICE;
  const isDense = columns.length > MOST_ROOMY;
  return (
    <div className={styles.scroll} role="region" aria-label="Results" tabIndex={0}>
      <table className={`${styles.table} ${isDense ? styles.dense : ""}`}>
        <caption className="visually-hidden">
          {table.paper}, {printedName(table)}: {table.title}
        </caption>
        <thead>
          {isGrouped && <Groups view={view} />}
          <tr>
            <th scope="col" className={styles.entry}>
              Model
            </th>
            <th scope="col">Source</th>
            {columns.map((column, at) => (
              <ColumnHead
                key={column.key}
                column={column}
                title={headTitle(view, column)}
                first={sort?.column.key === column.key ? sort.first : null}
                isDense={isDense}
                startsGroup={isGrouped && column.slice !== columns[at - 1]?.slice}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              columns={columns}
              isGrouped={isGrouped}
              showsSetting={showsSettings(table)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The metric; where one metric is over several slices, the slice tells columns apart. */
function headTitle({ table }: View, { label, slice }: LeaderboardColumn): string {
  if (table.metrics.length > 1 || table.slices.length === 1) return label;
  return table.slices.find(({ key }) => key === slice)?.label ?? slice;
}

function Groups({ view: { table } }: { view: View }) {
  return (
    <tr className={styles.groups}>
      <td className={styles.entry} />
      <td />
      {table.slices.map(({ key, label }) => (
        <th key={key} scope="colgroup" colSpan={table.metrics.length} data-starts-group>
          {label}
        </th>
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
      <th scope="row" className={styles.entry}>
        {row.model_label}
        {showsSetting && <span className={styles.setting}>{row.setting_label}</span>}
      </th>
      <td>
        <Tag>{row.provenance}</Tag>
      </td>
      {columns.map(({ key, slice }, at) => (
        <td
          key={key}
          className={styles.value}
          data-starts-group={(isGrouped && slice !== columns[at - 1]?.slice) || undefined}
        >
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
