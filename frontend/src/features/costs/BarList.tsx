import styles from "./Costs.module.css";

export interface Bar {
  key: string;
  label: string;
  note?: string;
  /** One below the other, each with its number in words. */
  values: { key: string; value: number; text: string }[];
}

/** Bars on one linear scale from zero, with the numbers beside them. */
export function BarList({ label, bars }: { label: string; bars: Bar[] }) {
  const longest = Math.max(...bars.flatMap(({ values }) => values.map(({ value }) => value)), Number.MIN_VALUE);
  return (
    <ul className={styles.bars} aria-label={label}>
      {bars.map(({ key, label: name, note, values }) => (
        <li key={key} className={styles.bar}>
          <span className={styles.name}>{name}{note && <span className={styles.note}>{note}</span>}</span>
          <span className={styles.values}>
            {values.map((one, at) => (
              <span key={one.key} className={styles.value}>
                <span className={styles.track} aria-hidden><span className={styles.fill} data-place={at} style={{ width: `${(100 * one.value) / longest}%` }} /></span>
                <span className={styles.number}>{one.text}</span>
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
