import { Link } from "react-router";
import type { LeaderboardTrack } from "@/api/contract";
import { Tag } from "@/components/Tag";
import styles from "./TopModels.module.css";

const MARGIN = 0.1;

/** The first models of a track on one scale: a dot, and a line for the interval. */
export function TopModels({ track: { track, paper, title, evaluated, printed } }: { track: LeaderboardTrack }) {
  const board = evaluated?.best.length ? evaluated : printed;
  if (!board) return null;
  const { best, metric_label: metric, date } = board;
  const least = Math.min(...best.map(({ value, low }) => low ?? value));
  const width = Math.max(...best.map(({ value, high }) => high ?? value)) - least;
  const place = (value: number) => `${100 * (MARGIN + (1 - 2 * MARGIN) * (width ? (value - least) / width : 0.5))}%`;
  return (
    <div className={styles.track}>
      <h3 className={styles.title}><Link to={`/leaderboard/${track}`}>{paper}: {title}</Link></h3>
      <p className={styles.board}>{board === printed ? `${paper} paper, ${date}` : board.title}, {metric}</p>
      <ol>
        {best.map(({ name, submission, note, is_simulated, text, value, low, high, interval }) => (
          <li key={submission ?? `${name} ${note}`} className={styles.model}>
            <span className={styles.name} title={name ?? undefined}>
              {name ?? "Anonymous entry"}
            </span>
            {is_simulated && <Tag>simulated</Tag>}
            <span className={styles.scale} aria-hidden>
              {low !== null && high !== null && (
                <span className={styles.interval} style={{ left: place(low), right: `calc(100% - ${place(high)})` }} />
              )}
              <span className={styles.dot} style={{ left: place(value) }} />
            </span>
            <span className={`${styles.value} number`}>
              {text}
              {interval && <span className="visually-hidden">, 95% interval {interval}</span>}
            </span>
          </li>
        ))}
      </ol>
      {board !== printed && printed?.best[0] && (
        <p className={styles.board}>As printed: {printed.best[0].name} {printed.best[0].text} {printed.metric_label} ({paper} paper, {printed.date}), on other items.</p>
      )}
    </div>
  );
}
