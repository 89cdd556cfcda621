import type { ReactNode } from "react";
import styles from "./EmptyState.module.css";

/** What will be here, and the one thing that brings it about. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return <div className={styles.empty}><p>{children}</p>{action}</div>;
}
