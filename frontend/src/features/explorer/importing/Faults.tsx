import { DataTable } from "@/components/DataTable";
import styles from "./Importing.module.css";

interface Props {
  title: string;
  rows: { where: string; what: string; detail: string }[];
}

/** Everything that is wrong, at once. */
export function Faults({ title, rows }: Props) {
  return (
    <section className={styles.section} aria-label={title}>
      <h3>{title}</h3>
      <DataTable label={title} minWidth={640}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">What is wrong</th>
            <th scope="col">Detail</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ where, what, detail }, at) => (
            // The same place may have the same fault twice; its position is its name.
            <tr key={at}>
              <th scope="row" className={styles.cell}>{where}</th>
              <td className={styles.cell}>{what}</td>
              <td className={styles.cell}>{detail}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </section>
  );
}
