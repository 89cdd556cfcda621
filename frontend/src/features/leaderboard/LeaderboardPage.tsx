import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { Problem } from "@/api/client";
import { Breadcrumb } from "@/components/Breadcrumb";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { Skeleton } from "@/components/Skeleton";
import styles from "./LeaderboardPage.module.css";
import { orderReleases } from "@/domains/evaluation/labels";
import { releasesQuery } from "@/domains/evaluation/queries";
import { trackQuery, tracksQuery } from "@/domains/leaderboard/queries";
import { Overview } from "./overview/Overview";
import { TrackList } from "./TrackList";
import { TrackView } from "./TrackView";

/** The results of a track; without one in the address, the best of every track. */
export function LeaderboardPage() {
  const { track } = useParams();
  const tracks = useQuery(tracksQuery);
  if (tracks.isError) {
    return (
      <div className={styles.alone}>
        <h1>Leaderboard</h1>
        <TrackLoadError error={tracks.error} onRetry={() => void tracks.refetch()} />
      </div>
    );
  }
  const current = tracks.data?.find((one) => one.track === track);
  return (
    <div className={styles.layout}>
      <title>{`${current ? `${current.paper}, ${current.title}` : "Leaderboard"} · Serendib`}</title>
      <div className={styles.page}>
        {current && <Breadcrumb parents={[{ to: "/leaderboard", label: "Leaderboard" }]} current={current.title} />}
        {tracks.data && track && (
          <details className={styles.picker} key={track}>
            <summary>Track: <b>{current ? `${current.paper}, ${current.title}` : "choose one"}</b></summary>
            <TrackList tracks={tracks.data} current={track} />
          </details>
        )}
        {track && (tracks.data ? <Track track={track} main={current?.evaluated?.id} /> : <Loading />)}
        {!track && (tracks.data ? <Overview tracks={tracks.data} /> : <Loading />)}
      </div>
      <aside className={styles.side} aria-label="All tracks">
        {tracks.data ? <TrackList tracks={tracks.data} current={track ?? null} /> : <Skeleton height={480} />}
      </aside>
    </div>
  );
}

/** main: the release whose board the overview has. */
function Track({ track, main }: { track: string; main: string | undefined }) {
  const results = useQuery(trackQuery(track));
  // A board stands above the printed results: drawn before its release is known, they would be pushed down.
  const releases = useQuery(releasesQuery);
  if (results.isPending || (releases.isPending && releases.failureCount === 0)) return <Loading />;
  if (results.isError) {
    return (
      <>
        <h1>Leaderboard</h1>
        <TrackLoadError error={results.error} onRetry={() => void results.refetch()} />
      </>
    );
  }
  const own = releases.data?.filter((release) => release.track === track);
  return <TrackView key={track} track={results.data} releases={own ? orderReleases(own, main) : null} />;
}

function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Loading results">
      <Skeleton height={28} width={240} />
      <Skeleton height={20} width="60%" />
      <Skeleton height={36} width={320} />
      <Skeleton height={420} />
    </div>
  );
}

function TrackLoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof Problem && error.status === 404) {
    return <Notice>There is no track of this name. Choose one from the list of tracks.</Notice>;
  }
  return (
    <Notice tone="bad">
      <p>The results could not be loaded: {error.message}</p>
      <div><Button onPress={onRetry}>Try again</Button></div>
    </Notice>
  );
}
