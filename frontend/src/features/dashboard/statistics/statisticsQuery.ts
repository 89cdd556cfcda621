import { useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Id, StudyStatistics } from "@/api/contract";
import { dashboardKey } from "@/domains/studies/dashboardKey";

const POLL_STALE_MS = 5_000;

/** Below the dashboard's key: what makes that be read again does the same here. */
export function useStatistics(study: Id) {
  return useQuery({
    queryKey: [...dashboardKey(study), "statistics"],
    queryFn: ({ signal }) => request<StudyStatistics>(`/api/v1/studies/${study}/statistics`, { signal }),
    refetchInterval: ({ state }) => (state.data?.stale ? POLL_STALE_MS : false),
  });
}
