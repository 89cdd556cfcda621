import { ProgressBar } from "@/components/ProgressBar";
import { timeLeft } from "@/lib/format";
import type { Importing } from "./api";
import styles from "./Importing.module.css";
import { STATES } from "./words";

/** How far an import is; the page may be left meanwhile. */
export function Progress({ of }: { of: Importing }) {
  const { state, doing, percent = 0, seconds_left: left } = of;
  const rest = left === null || left === undefined ? "" : `, ${timeLeft(1000 * left)}`;
  return (
    <section className={styles.section} aria-labelledby="progress">
      <h2 id="progress">{of.dry_run ? "Trying" : "Importing"} {of.name}</h2>
      <ProgressBar label="Done so far" value={Math.round(percent)} total={100} />
      <p role="status">{STATES[state]}{doing ? `: ${doing}` : ""}, {Math.round(percent)}%{rest}</p>
      <p className={styles.quiet}>It goes on without this page; the address leads back to it.</p>
    </section>
  );
}
