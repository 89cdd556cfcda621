import { Link } from "react-router";
import type { LeaderboardTrack } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { CopyLink } from "@/components/CopyLink";
import { useFocusHeading } from "@/components/Page";
import { countLabel } from "../labels";
import { BestList } from "./BestList";
import styles from "./Overview.module.css";

/** Every track with its best three: those evaluated here, and apart from them those that papers print. */
export function Overview({ tracks }: { tracks: LeaderboardTrack[] }) {
  const heading = useFocusHeading("Leaderboard");
  const papers = [...new Set(tracks.map(({ paper }) => paper))];
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1 ref={heading} tabIndex={-1}>Leaderboard</h1>
          <p className={styles.quiet}>
            The best three models of each track. What is evaluated here and what papers print rest on other items, so they are never one list.
            A dot is the value on its whole scale, a bar behind it the 95% interval.
          </p>
        </div>
        <div className={styles.actions}>
          <ButtonLink to="/models">Every model across tracks</ButtonLink>
          <CopyLink />
        </div>
      </header>
      {papers.map((paper) => (
        <div key={paper} className={styles.paper}>
          {tracks.filter((track) => track.paper === paper).map((track) => <TrackSummary key={track.track} track={track} />)}
        </div>
      ))}
    </>
  );
}

function TrackSummary({ track }: { track: LeaderboardTrack }) {
  return (
    <article className={styles.track} aria-labelledby={`track-${track.track}`}>
      <div className={styles.about}>
        <h2 id={`track-${track.track}`}><Link to={`/leaderboard/${track.track}`}>{track.paper}, {track.title}</Link></h2>
        <p className={styles.quiet}>{track.description}</p>
        <p className={styles.quiet}>{countLabel(track.models, "model", "models")}</p>
      </div>
      {/* What there is stands beside the name. */}
      {track.evaluated?.best.length ? (
        <>
          <BestList track={track} source="evaluated" />
          <BestList track={track} source="printed" />
        </>
      ) : (
        <>
          <BestList track={track} source="printed" />
          <BestList track={track} source="evaluated" />
        </>
      )}
    </article>
  );
}
