import { ChevronDown, ChevronsUpDown, ChevronUp } from "lucide-react";
import type { ReactNode } from "react";
import { DataTable } from "@/components/DataTable";
import { rankText } from "@/domains/evaluation/labels";
import type { Board, BoardRow } from "@/domains/evaluation/queries";
import type { BoardView } from "./boardView";
import { isSortable, type BoardColumn } from "./columns";
import { CompareCheckbox, EntryName, type ChooseEntry } from "./EntryName";
import styles from "./Evaluated.module.css";

export interface EntriesProps {
  board: Board;
  view: BoardView;
  columns: BoardColumn[];
  onSort: (column: string) => void;
  onChoose: ChooseEntry;
}

const COLUMN_WIDTH = 92;
const SAMPLES_NOTE = "Declared samples are not ranked with full entries. Items outside a sample count as missing.";

/** Entries with the ranks that cannot be excluded; declared samples below, without a rank. */
export function BoardTable({ board, view, columns, onSort, onChoose }: EntriesProps) {
  const header = (id: string, label: string, isNumeric: boolean) => ({
    key: id,
    label: <SortButton label={label} order={orderOf(view, id)} onSort={() => onSort(id)} />,
    isNumeric,
    sort: orderOf(view, id),
  });
  const headers = [
    header("model", "Model", false),
    { label: "Rank", isNumeric: true },
    ...columns.map((column) => (isSortable(column) ? header(column.id, column.label, column.isNumeric) : column.label)),
  ];
  const [ranked, samples] = [board.results.filter(({ rank }) => rank), board.results.filter(({ rank }) => !rank)];
  const row = (one: BoardRow) => <EntryRow key={one.submission} row={one} columns={columns} isChosen={view.compared.includes(one.submission)} onChoose={onChoose} />;
  return (
    <DataTable label={`${board.name}, evaluated here`} minWidth={(columns.length + 2) * COLUMN_WIDTH} columns={headers}>
      {ranked.map(row)}
      {samples.length > 0 && (
        <tr><th scope="rowgroup" colSpan={headers.length} className={styles.samples}>{SAMPLES_NOTE}</th></tr>
      )}
      {samples.map(row)}
    </DataTable>
  );
}

function orderOf({ sort }: BoardView, id: string) {
  return sort?.column === id ? sort.order : undefined;
}

function SortButton({ label, order, onSort }: { label: ReactNode; order: "ascending" | "descending" | undefined; onSort: () => void }) {
  const Arrow = order ? (order === "ascending" ? ChevronUp : ChevronDown) : ChevronsUpDown;
  return <button type="button" className={styles.sort} onClick={onSort}>{label}<Arrow size={14} aria-hidden /></button>;
}

interface RowProps {
  row: BoardRow;
  columns: BoardColumn[];
  isChosen: boolean;
  onChoose: ChooseEntry;
}

function EntryRow({ row, columns, isChosen, onChoose }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <div className={styles.entry}>
          <CompareCheckbox row={row} isChosen={isChosen} onChoose={onChoose} />
          <span><EntryName row={row} /></span>
        </div>
      </th>
      <td data-numeric className="number">{rankText(row.rank)}</td>
      {columns.map(({ id, isNumeric, cell }) => (
        <td key={id} data-numeric={isNumeric || undefined} className={isNumeric ? "number" : undefined}>{cell(row)}</td>
      ))}
    </tr>
  );
}
