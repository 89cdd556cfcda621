import type { Fault } from "@/api/client";
import { DataTable } from "@/components/DataTable";
import { plural } from "@/lib/format";
import styles from "./Studies.module.css";

/** Every fault, in the order of the files. */
export function FaultTable({ faults }: { faults: Fault[] }) {
  const title = plural(faults.length, "fault");
  return (
    <section className={styles.section} aria-labelledby="faults-heading">
      <h2 id="faults-heading">{title}</h2>
      <DataTable label={title} minWidth={720}>
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
              <td>{fault.message}</td>
              <td>{fault.expected}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </section>
  );
}
