import type { Fault } from "@/api/client";
import { DataTable } from "@/components/DataTable";
import styles from "./Studies.module.css";

/** Every fault, in the order of the files. */
export function FaultTable({ title, faults }: { title: string; faults: Fault[] }) {
  return (
    <section className={styles.section} aria-labelledby="faults-heading">
      <h2 id="faults-heading">{title}</h2>
      <DataTable label="Faults by place" minWidth={720}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">What is wrong</th>
            <th scope="col">What was expected</th>
          </tr>
        </thead>
        <tbody>
          {faults.map((fault, index) => (
            // The same place may have the same fault twice; its position is its name.
            <tr key={index}>
              <th scope="row" className={styles.place}>
                {fault.place}
              </th>
              <td className={styles.fault}>{fault.message}</td>
              <td className={styles.fault}>{fault.expected}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </section>
  );
}
