import type { ReactNode } from "react";
import styles from "./Notice.module.css";

/** A sentence about what happened and what to do; a bad one is read out at once. */
export function Notice({ tone = "plain", children }: { tone?: "plain" | "good" | "warn" | "bad"; children: ReactNode }) {
  return <div className={`${styles.notice} ${styles[tone]}`} role={tone === "bad" ? "alert" : "status"}>{children}</div>;
}
