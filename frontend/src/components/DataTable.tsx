import type { ReactNode } from "react";
import styles from "./DataTable.module.css";

interface Props {
  /** What the table is; read out, not drawn. */
  label: string;
  children: ReactNode;
  minWidth?: number;
}

/** A table that scrolls inside its frame; the first column stays. */
export function DataTable({ label, children, minWidth }: Props) {
  return (
    <div className={styles.frame} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table} style={minWidth ? { minWidth } : undefined}>
        <caption className="visually-hidden">{label}</caption>
        {children}
      </table>
    </div>
  );
}
