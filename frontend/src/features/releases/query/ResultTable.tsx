import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { formatPlural } from "@/lib/format";
import type { QueryTable } from "../queries";
import styles from "../Releases.module.css";

/** Rows of a result; maps, lists and entities as JSON. */
export function ResultTable({ table: { columns, rows, shown, capped } }: { table: QueryTable }) {
  if (rows.length === 0) return <EmptyState>The query ran and returned no rows.</EmptyState>;
  return (
    <section className={styles.section} aria-label="Result">
      <p role="status">{capped ? `The first ${formatPlural(shown, "row")}; there are more.` : `${formatPlural(shown, "row")}.`}</p>
      <DataTable label="Result of the query" minWidth={180 * columns.length} columns={columns.map((label, at) => ({ label, key: `${at}` }))}>
        {rows.map((row, at) => <tr key={at}>{row.map((value, column) => <td key={column} className={styles.cell}>{cellText(value)}</td>)}</tr>)}
      </DataTable>
    </section>
  );
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return typeof value === "string" ? value : JSON.stringify(value);
}
