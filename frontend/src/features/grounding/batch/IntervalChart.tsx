import { formatPercent } from "@/lib/format";
import styles from "./Batch.module.css";

export interface IntervalRow {
  label: string;
  value: number;
  low: number | null;
  high: number | null;
  is_approximate?: boolean;
  isMain?: boolean;
}

/** Shares with their intervals on one scale from 0 to 100 percent; the text beside each has its numbers. */
export function IntervalChart({ rows }: { rows: IntervalRow[] }) {
  return (
    <div>
      <ul className={styles.chart}>
        {rows.map((row) => (
          <li key={row.label}>
            <span>{row.label}</span>
            <svg viewBox="0 0 200 20" preserveAspectRatio="none" aria-hidden className={styles.strip}>
              <line x1={4} x2={196} y1={10} y2={10} className={styles.axis} />
              {row.low !== null && row.high !== null && <rect x={place(row.low)} width={Math.max(place(row.high) - place(row.low), 1)} y={6} height={8} className={styles.interval} />}
              <rect x={place(row.value) - 1} width={2} y={2} height={16} className={row.isMain ? styles.main : styles.point} />
            </svg>
            <span className="number">{rowText(row)}</span>
          </li>
        ))}
      </ul>
      {rows.length > 0 && <p className={styles.scale} aria-hidden><span>0%</span><span>100%</span></p>}
    </div>
  );
}

const place = (share: number) => 4 + 192 * share;

function rowText({ value, low, high, is_approximate: isApproximate }: IntervalRow): string {
  return low === null || high === null ? formatPercent(value) : `${formatPercent(value)} (${formatPercent(low)} to ${formatPercent(high)}${isApproximate ? ", approximate" : ""})`;
}
