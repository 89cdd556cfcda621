import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "react-router";
import { Problem } from "@/api/client";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { Skeleton } from "@/components/Skeleton";
import styles from "./LeaderboardPage.module.css";
import { trackQuery, tracksQuery } from "./queries";
import { TrackList } from "./TrackList";
import { TrackView } from "./TrackView";

/** Published results by track; without a track in the address, those of the first one. */
export function LeaderboardPage() {
  const { track } = useParams();
  const tracks = useQuery(tracksQuery);
  if (tracks.isError) {
    return (
      <div className={styles.alone}>
        <h1>Leaderboard</h1>
        <Failure error={tracks.error} onRetry={() => void tracks.refetch()} />
      </div>
    );
  }
  const first = tracks.data?.[0];
  if (!track && first) return <Navigate to={`/leaderboard/${first.track}`} replace />;
  const current = tracks.data?.find((one) => one.track === track);
  return (
    <div className={styles.layout}>
      <title>{`${current ? `${current.paper}, ${current.title}` : "Leaderboard"} · Serendib`}</title>
      <aside className={styles.side} aria-label="All tracks">
        {tracks.data ? <TrackList tracks={tracks.data} current={track ?? ""} /> : <Skeleton height={480} />}
      </aside>
      <div className={styles.page}>
        {tracks.data && (
          <details className={styles.picker} key={track}>
            <summary>
              Track: <b>{current ? `${current.paper}, ${current.title}` : "choose one"}</b>
            </summary>
            <TrackList tracks={tracks.data} current={track ?? ""} />
          </details>
        )}
        {track ? <Track track={track} /> : <Loading />}
      </div>
    </div>
  );
}

function Track({ track }: { track: string }) {
  const results = useQuery(trackQuery(track));
  if (results.isPending) return <Loading />;
  if (results.isError) {
    return (
      <>
        <h1>Leaderboard</h1>
        <Failure error={results.error} onRetry={() => void results.refetch()} />
      </>
    );
  }
  return <TrackView track={results.data} />;
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

function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof Problem && error.status === 404) {
    return <Notice>There is no track of this name. Choose one from the list of tracks.</Notice>;
  }
  return (
    <Notice tone="bad">
      <p>The results could not be loaded: {error.message}</p>
      <div>
        <Button onPress={onRetry}>Try again</Button>
      </div>
    </Notice>
  );
}
