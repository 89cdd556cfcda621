import type { ReactNode } from "react";
import styles from "./DataTable.module.css";

interface Column {
  label: ReactNode;
  /** Where the label is no text. */
  key?: string;
  isNumeric?: boolean;
  className?: string | undefined;
  colSpan?: number;
  sort?: "ascending" | "descending" | undefined;
}

export const ACTIONS_COLUMN: Column = { label: <span className="visually-hidden">Actions</span>, key: "actions" };

interface Props {
  /** What the table is; read out, not drawn. */
  label: string;
  columns: (string | Column)[];
  minWidth?: number;
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls inside its frame; the first column stays. */
export function DataTable({ label, columns, minWidth, children }: Props) {
  return (
    <div className={styles.frame} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table} style={minWidth ? { minWidth } : undefined}>
        <caption className="visually-hidden">{label}</caption>
        <thead><tr>{columns.map((column) => headerCell(typeof column === "string" ? { label: column } : column))}</tr></thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function headerCell({ label, key = String(label), isNumeric, className, colSpan, sort }: Column) {
  return (
    <th key={key} scope="col" aria-sort={sort} data-numeric={isNumeric || undefined} className={className} colSpan={colSpan}>
      {label}
    </th>
  );
}
