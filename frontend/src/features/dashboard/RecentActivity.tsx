import type { Dashboard, RecentResponse } from "@/api/contract";
import { formatDateTime } from "@/lib/format";
import { expertNames, expertName, resultLabel } from "./labels";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import styles from "./RecentActivity.module.css";

const MAX_ROWS = 8;

export function RecentActivity({ info, dashboard }: { info: StudyKindInfo; dashboard: Dashboard }) {
  const { totals, recent } = dashboard;
  const { active } = totals;
  return (
    <aside className={styles.now} aria-labelledby="now-heading">
      <h2 id="now-heading">Recent activity</h2>
      <p className={styles.active}>
        {active.length > 0 && <span className={styles.dot} aria-hidden />}
        <span>{active.length > 0 ? `Active: ${expertNames(active)}` : "No expert is active now."}</span>
      </p>
      {recent.length === 0 ? <p className={styles.quiet}>Answers appear here as soon as they are submitted.</p> : (
        <ol className={styles.list} aria-label="The newest answers">
          {recent.slice(0, MAX_ROWS).map((row) => <ActivityRow key={rowKey(row)} info={info} row={row} />)}
        </ol>
      )}
    </aside>
  );
}

function ActivityRow({ info, row }: { info: StudyKindInfo; row: RecentResponse }) {
  return (
    <li className={styles.line}>
      <time dateTime={row.at} className={styles.at}>{formatDateTime(row.at)}</time>
      <span className={styles.who}>{expertName(row.expert)}</span>
      <span className={styles.outcome}>
        {resultLabel(info, row)} · <span className={styles.where}>question {row.question_number} of batch {row.batch_number}</span>
      </span>
    </li>
  );
}

function rowKey({ at, expert, batch_number: batch, question_number: question }: RecentResponse): string {
  return `${at} ${expert.id} ${batch} ${question}`;
}
