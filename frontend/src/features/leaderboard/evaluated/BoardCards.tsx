import { AllRowsButton, useFirstRows } from "@/components/FirstRows";
import { SelectField } from "@/components/SelectField";
import { rankText } from "@/domains/evaluation/labels";
import type { BoardRow } from "@/domains/evaluation/queries";
import type { EntriesProps } from "./BoardTable";
import { isSortable, type BoardColumn } from "./columns";
import { CompareCheckbox, EntryName } from "./EntryName";
import styles from "./BoardCards.module.css";

const FIRST_CARDS = 10;

/** The same entries on a narrow screen: each name stands above its scores. */
export function BoardCards({ board, view, columns, onChoose }: EntriesProps) {
  const isCompared = ({ submission }: BoardRow) => view.compared.includes(submission);
  const { shown, more } = useFirstRows(board.results, FIRST_CARDS, isCompared);
  return (
    <>
      <ol className={styles.cards} aria-label={`${board.name}, evaluated here`}>
        {shown.map((row) => (
          <li key={row.submission} className={styles.card}>
            <EntryCard row={row} columns={columns} />
            <CompareCheckbox row={row} isChosen={isCompared(row)} onChoose={onChoose}>Compare</CompareCheckbox>
          </li>
        ))}
      </ol>
      <AllRowsButton more={more} of={board.matching > board.results.length ? "entries of this page" : "entries"} />
    </>
  );
}

/** The order of the cards, which have no heads to press. */
export function OrderField({ view, columns, onSort }: Pick<EntriesProps, "view" | "columns" | "onSort">) {
  const orders = [
    { value: "", label: "Rank" },
    { value: "model", label: "Model" },
    ...columns.filter(isSortable).map(({ id, label }) => ({ value: id, label })),
  ];
  return <SelectField label="Order by" value={view.sort?.column ?? ""} options={orders} onChange={onSort} />;
}

function EntryCard({ row, columns }: { row: BoardRow; columns: BoardColumn[] }) {
  return (
    <>
      <div className={styles.head}>
        <h3><EntryName row={row} /></h3>
        <span className="number">{row.rank ? `rank ${rankText(row.rank)}` : "sample, not ranked"}</span>
      </div>
      <dl className={styles.values}>
        {columns.map(({ id, label, cell }) => <div key={id}><dt>{label}</dt><dd className="number">{cell(row)}</dd></div>)}
      </dl>
    </>
  );
}
