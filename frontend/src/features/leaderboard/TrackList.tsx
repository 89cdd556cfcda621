import { Link } from "react-router";
import type { LeaderboardTrack } from "@/api/contract";
import { countLabel } from "./labels";
import styles from "./TrackList.module.css";

export function TrackList({ tracks, current }: { tracks: LeaderboardTrack[]; current: string | null }) {
  const papers = [...new Set(tracks.map(({ paper }) => paper))];
  return (
    <nav aria-label="Tracks" className={styles.list}>
      <div>
        <Link to="/leaderboard" className={styles.track ?? ""} aria-current={current === null ? "page" : undefined}>Overview</Link>
        <Link to="/models" className={styles.track ?? ""}>Every model across tracks</Link>
      </div>
      {papers.map((paper) => (
        <section key={paper} aria-label={paper}>
          <p className={styles.paper}>{paper}</p>
          <ul>
            {tracks.filter((track) => track.paper === paper)
              .map((track) => <li key={track.track}><TrackLink track={track} isCurrent={track.track === current} /></li>)}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function TrackLink({ track, isCurrent }: { track: LeaderboardTrack; isCurrent: boolean }) {
  return (
    <Link to={`/leaderboard/${track.track}`} className={styles.track ?? ""} aria-current={isCurrent ? "page" : undefined}>
      <span>{track.title}</span>
      <span className="number" aria-hidden title="Models">{track.models}</span>
      <span className="visually-hidden">, {countLabel(track.models, "model", "models")}</span>
    </Link>
  );
}
