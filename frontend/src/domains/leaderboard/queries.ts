import type { Figure, LeaderboardTrack, LeaderboardTrackDetail, SliceCorrelations } from "@/api/contract";
import { readListQuery, readQuery } from "@/lib/readQuery";

const TRACKS_URL = "/api/v1/leaderboards";
const CACHED = { staleTime: 300_000 };

export const tracksQuery = readListQuery<LeaderboardTrack>(["leaderboards"], TRACKS_URL, CACHED);

export function trackQuery(track: string) {
  return readQuery<LeaderboardTrackDetail>(["leaderboards", track], `${TRACKS_URL}/${encodeURIComponent(track)}`, CACHED);
}

/** How alike each printed metric orders the models over two parts of the items. */
export function printedCorrelationsQuery(track: string) {
  return readQuery<SliceCorrelations>(["leaderboards", track, "correlations"], `${TRACKS_URL}/${encodeURIComponent(track)}/correlations`, CACHED);
}

/** `name` is that of a figure, or of its file. */
export const figureUrl = (track: string, name: string, release: string | undefined) =>
  `${TRACKS_URL}/${encodeURIComponent(track)}/figures/${name}${release ? `?release=${encodeURIComponent(release)}` : ""}`;

/** Entries by axes: printed ones, and those of a release's board. */
export const figureQuery = (track: string, name: string, release: string | undefined) =>
  readQuery<Figure>(["leaderboards", track, "figures", name, release ?? ""], figureUrl(track, name, release));
