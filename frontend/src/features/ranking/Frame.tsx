import type { ReactNode } from "react";
import { Link } from "react-router";
import { Mark } from "@/components/Mark";
import styles from "./RankingPage.module.css";

interface Props {
  /** What stands in the top bar beside the name. */
  bar?: ReactNode;
  children: ReactNode;
}

/** The whole screen: a bar above, the work below. */
export function Frame({ bar, children }: Props) {
  return (
    <div className={styles.frame}>
      <header className={styles.top}>
        <Link to="/home" className={styles.brand} aria-label="Serendib, my batches">
          <Mark />
          <span className={styles.name}>Serendib</span>
        </Link>
        {bar}
      </header>
      {children}
    </div>
  );
}
