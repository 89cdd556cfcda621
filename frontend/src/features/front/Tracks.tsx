import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { call } from "@/api/client";
import type { LeaderboardTrack } from "@/api/contract";
import { Loadable } from "@/components/Loadable";
import { SkeletonRows } from "@/components/SkeletonRows";
import { plural } from "@/lib/format";
import styles from "./Front.module.css";

/** The ways into the leaderboard. */
export function Tracks() {
  const tracks = useQuery({
    queryKey: ["leaderboards"],
    queryFn: async () => (await call<{ results: LeaderboardTrack[] }>("/api/v1/leaderboards")).results,
  });
  return (
    <section className={styles.section} aria-labelledby="tracks-heading">
      <h2 id="tracks-heading">How models do so far</h2>
      <Loadable query={tracks} skeleton={<SkeletonRows rows={5} height={32} />}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={styles.hint}>No results have been loaded here yet.</p>
          ) : (
            <ul className={styles.tracks}>
              {rows.map((track) => (
                <li key={track.track}>
                  <Link to={`/leaderboard/${track.track}`}>{track.title}</Link>
                  <span className={styles.hint}>{track.paper}</span>
                  <span className={`${styles.hint} number`}>{plural(track.entries, "entry", "entries")}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loadable>
    </section>
  );
}
