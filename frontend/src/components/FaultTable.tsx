import type { FieldError } from "@/api/client";
import { DataTable } from "./DataTable";
import styles from "./FaultTable.module.css";

interface ErrorRow {
  location: string;
  message: string;
  /** Expected there, or what stands there. */
  detail: string;
}

interface Props {
  title: string;
  rows: ErrorRow[];
  /** What the third column is. */
  detailTitle?: string;
  /** 3 inside a section that has a heading of its own. */
  level?: 2 | 3;
}

export function errorRows(faults: FieldError[]): ErrorRow[] {
  return faults.map(({ place, message, expected }) => ({ location: place, message, detail: expected }));
}

/** Everything that is wrong, at once, in the order of the files. */
export function ErrorTable({ title, rows, detailTitle = "Expected", level = 2 }: Props) {
  const Heading = `h${level}` as const;
  const hasMore = rows.some((row) => row.detail !== "");
  return (
    <div className={styles.section}>
      <Heading>{title}</Heading>
      <DataTable label={title} minWidth={720} folds columns={["Where", "What is wrong", ...(hasMore ? [detailTitle] : [])]}>
        {rows.map((row, at) => (
          // The same place may have the same fault twice; its position is its name.
          <tr key={at}>
            <th scope="row" className={styles.place}>{row.location}</th>
            <td className={styles.fault}>{row.message}</td>
            {hasMore && <td className={styles.fault}>{row.detail}</td>}
          </tr>
        ))}
      </DataTable>
    </div>
  );
}
