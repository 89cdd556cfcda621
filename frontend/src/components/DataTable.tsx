import type { CSSProperties, ReactNode } from "react";
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
  /** On a phone each row is a block, with the name of its column before each value. */
  folds?: boolean;
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls inside its frame; the first column stays. */
export function DataTable({ label, columns, minWidth, folds = false, children }: Props) {
  const heads = columns.map((column): Column => (typeof column === "string" ? { label: column } : column));
  const style = { ...(folds && columnLabels(heads)), ...(minWidth && { "--table-width": `${minWidth}px` }) };
  return (
    <div className={styles.frame} role="region" aria-label={label} tabIndex={0}>
      <table className={folds ? styles.folding : styles.table} style={style as CSSProperties}>
        <caption className="visually-hidden">{label}</caption>
        <thead><tr>{heads.map(headerCell)}</tr></thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** For the style sheet, which draws them before the cells: "--column-2" is that of each second cell. */
function columnLabels(heads: Column[]): Record<string, string> {
  const labels = heads.flatMap(({ label, colSpan = 1 }) => [label, ...Array<null>(colSpan - 1).fill(null)]);
  return Object.fromEntries(
    labels.flatMap((label, at) => (typeof label === "string" ? [[`--column-${at + 1}`, JSON.stringify(label)]] : [])),
  );
}

function headerCell({ label, key = String(label), isNumeric, className, colSpan, sort }: Column) {
  return (
    <th key={key} scope="col" aria-sort={sort} data-numeric={isNumeric || undefined} className={className} colSpan={colSpan}>
      {label}
    </th>
  );
}
