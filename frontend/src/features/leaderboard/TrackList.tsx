import { Link } from "react-router";
import type { LeaderboardTrack } from "@/api/contract";
import styles from "./TrackList.module.css";
import { countWords } from "./words";

interface Props {
  tracks: LeaderboardTrack[];
  current: string;
}

/** Every track under its paper, with the number of its entries. */
export function TrackList({ tracks, current }: Props) {
  const papers = [...new Set(tracks.map(({ paper }) => paper))];
  return (
    <nav aria-label="Tracks" className={styles.list}>
      {papers.map((paper) => (
        <section key={paper} aria-label={paper}>
          <p className={styles.paper}>{paper}</p>
          <ul>
            {tracks
              .filter((track) => track.paper === paper)
              .map((track) => (
                <li key={track.track}>
                  <TrackLink track={track} isCurrent={track.track === current} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function TrackLink({ track, isCurrent }: { track: LeaderboardTrack; isCurrent: boolean }) {
  return (
    <Link
      to={`/leaderboard/${track.track}`}
      className={styles.track ?? ""}
      aria-current={isCurrent ? "page" : undefined}
    >
      <span>{track.title}</span>
      <span className="number" aria-hidden>
        {track.entries}
      </span>
      <span className="visually-hidden">, {countWords(track.entries, "entry", "entries")}</span>
    </Link>
  );
}
