import { queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { LeaderboardTrack, LeaderboardTrackDetail } from "@/api/contract";

const FIVE_MINUTES = 300_000;

export const tracksQuery = queryOptions({
  queryKey: ["leaderboards"],
  queryFn: async ({ signal }) =>
    (await call<{ results: LeaderboardTrack[] }>("/api/v1/leaderboards", { signal })).results,
  staleTime: FIVE_MINUTES,
});

export function trackQuery(track: string) {
  return queryOptions({
    queryKey: ["leaderboards", track],
    queryFn: ({ signal }) =>
      call<LeaderboardTrackDetail>(`/api/v1/leaderboards/${encodeURIComponent(track)}`, { signal }),
    staleTime: FIVE_MINUTES,
  });
}
