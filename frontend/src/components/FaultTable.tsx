import type { Fault } from "@/api/client";
import { DataTable } from "./DataTable";
import styles from "./FaultTable.module.css";

export interface FaultRow {
  where: string;
  what: string;
  /** What was expected there, or what stands there. */
  more: string;
}

interface Props {
  title: string;
  rows: FaultRow[];
  /** What the third column is. */
  more?: string;
  /** 3 inside a section that has a heading of its own. */
  level?: 2 | 3;
}

export function rowsOf(faults: Fault[]): FaultRow[] {
  return faults.map(({ place, message, expected }) => ({ where: place, what: message, more: expected }));
}

/** Everything that is wrong, at once, in the order of the files. */
export function FaultTable({ title, rows, more = "What was expected", level = 2 }: Props) {
  const Heading = `h${level}` as const;
  const hasMore = rows.some((row) => row.more !== "");
  return (
    <div className={styles.section}>
      <Heading>{title}</Heading>
      <DataTable label={title} minWidth={720}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">What is wrong</th>
            {hasMore && <th scope="col">{more}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // The same place may have the same fault twice; its position is its name.
            <tr key={at}>
              <th scope="row" className={styles.place}>{row.where}</th>
              <td className={styles.fault}>{row.what}</td>
              {hasMore && <td className={styles.fault}>{row.more}</td>}
            </tr>
          ))}
        </tbody>
      </DataTable>
    </div>
  );
}
