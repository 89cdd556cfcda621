import type { ReactNode } from "react";
import { Brand } from "@/components/Brand";
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
        <Brand to="/home" label="Serendib, my batches" isShort />
        {bar}
      </header>
      {children}
    </div>
  );
}
