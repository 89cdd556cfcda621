import type { ReactNode } from "react";
import { Brand } from "@/components/Brand";
import styles from "./AssignmentsPage.module.css";

interface Props {
  /** What stands in the top bar beside the name. */
  bar?: ReactNode;
  children: ReactNode;
}

export function AssignmentsLayout({ bar, children }: Props) {
  return (
    <div className={styles.frame}>
      <header className={styles.top}><Brand to="/home" label="Serendib, my batches" isShort />{bar}</header>
      {children}
    </div>
  );
}
