import type { Board, RecentResponse } from "@/api/contract";
import { moment } from "@/lib/format";
import styles from "./Now.module.css";
import { namesOf, nameOf, outcome } from "./words";

const SHOWN = 10;

/** Who is at work, and what was submitted last. */
export function Now({ board }: { board: Board }) {
  const { active } = board.totals;
  return (
    <aside className={styles.now} aria-labelledby="now-heading">
      <h2 id="now-heading">Now</h2>
      <p className={styles.active}>
        {active.length > 0 && <span className={styles.dot} aria-hidden />}
        <span>{active.length > 0 ? `At work: ${namesOf(active)}` : "Nobody is at work just now."}</span>
      </p>
      {board.recent.length === 0 ? (
        <p className={styles.quiet}>Each answer will be here as soon as it is submitted.</p>
      ) : (
        <ol className={styles.list} aria-label="The newest answers">
          {board.recent.slice(0, SHOWN).map((row) => (
            <Line key={keyOf(row)} row={row} />
          ))}
        </ol>
      )}
    </aside>
  );
}

function Line({ row }: { row: RecentResponse }) {
  return (
    <li className={styles.line}>
      <time dateTime={row.at} className={styles.at}>
        {moment(row.at)}
      </time>
      <span className={styles.who}>{nameOf(row.expert)}</span>
      <span className={styles.outcome}>{outcome(row)}</span>
      <span className={styles.where}>
        question {row.question_number} of batch {row.batch_number}
      </span>
    </li>
  );
}

function keyOf({ at, expert, batch_number: batch, question_number: question }: RecentResponse): string {
  return `${at} ${expert.id} ${batch} ${question}`;
}
