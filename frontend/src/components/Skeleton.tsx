import styles from "./Skeleton.module.css";

/** The shape of what will be here; drawn only when it takes longer than 300 ms. */
export function Skeleton({ height, width = "100%" }: { height: number; width?: number | string }) {
  return <div className={styles.skeleton} style={{ height, width }} aria-hidden />;
}
