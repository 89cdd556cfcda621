import { Link } from "react-router";
import type { LeaderboardTrack } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { CopyLink } from "@/components/CopyLink";
import { useFocusHeading } from "@/components/Page";
import { hasSimulated, SIMULATED_NOTE } from "@/domains/evaluation/labels";
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
            {hasSimulated(tracks) && `${SIMULATED_NOTE} `}The best three entries of each track. Papers print figures for other items than those evaluated here, so the two are never one list.
            A dot is the value on its whole scale, a bar behind it the 95% interval. "1 to 3" are the ranks that an entry may truly have.
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
      {/* Each in a column of its own, also where the other is empty. */}
      <BestList track={track} source="evaluated" />
      <BestList track={track} source="printed" />
    </article>
  );
}
