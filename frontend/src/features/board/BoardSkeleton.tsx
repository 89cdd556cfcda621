import { Skeleton } from "@/components/Skeleton";
import { SkeletonRows } from "@/components/SkeletonRows";
import styles from "./Board.module.css";

/** The board's shape while it is read. */
export function BoardSkeleton() {
  return (
    <div aria-busy="true" className={styles.column}>
      <Skeleton height={82} />
      <div className={styles.main}>
        <SkeletonRows rows={6} height={40} />
        <SkeletonRows rows={5} height={36} />
      </div>
    </div>
  );
}
