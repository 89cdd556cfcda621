import { useState, type ReactNode } from "react";
import { PHONE_QUERY, useMediaQuery } from "@/lib/useMediaQuery";
import styles from "./PhoneFold.module.css";

interface Props {
  /** The line that stands for it on a phone. */
  summary: ReactNode;
  /** Whether that is its heading, which stands above it elsewhere. */
  isHeading?: boolean;
  /** Whether it begins open there. */
  isOpen?: boolean;
  children: ReactNode;
}

/** Its content; on a phone a line that opens it, so that what follows stays in reach. */
export function PhoneFold({ summary, isHeading = false, isOpen: isOpenAtFirst = false, children }: Props) {
  const isPhone = useMediaQuery(PHONE_QUERY);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  if (!isPhone) return <>{isHeading && summary}{children}</>;
  return (
    <details className={styles.fold} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  );
}
