import { formatCount } from "@/lib/format";
import styles from "./Profile.module.css";

interface Row {
  name: string;
  value: number;
}

interface Props {
  label: string;
  head: [string, string];
  rows: Row[];
  /** Bars by log(1 + value), for counts of very different sizes. */
  isLogarithmic?: boolean;
}

/** A table of counts with bars. A long one scrolls. */
export function ProfileBars({ label, head, rows, isLogarithmic = false }: Props) {
  const scale = (value: number) => (isLogarithmic ? Math.log1p(value) : value);
  const most = Math.max(1, ...rows.map(({ value }) => scale(value)));
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.bars} aria-label={label}>
        <thead><tr><th scope="col">{head[0]}</th><th scope="col" data-numeric>{head[1]}</th><td /></tr></thead>
        <tbody>
          {rows.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row" className="number">{name}</th>
              <td data-numeric className="number">{formatCount(value)}</td>
              <td aria-hidden><span style={{ width: `${(100 * scale(value)) / most}%` }} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
