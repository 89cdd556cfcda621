import { Skeleton } from "./Skeleton";
import styles from "./SkeletonRows.module.css";

export function SkeletonRows({ rows, height = 40 }: { rows: number; height?: number }) {
  return (
    <div className={styles.rows}>{Array.from({ length: rows }, (_, row) => <Skeleton key={row} height={height} />)}</div>
  );
}
