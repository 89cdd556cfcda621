import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Id } from "@/api/contract";
import { coalesce } from "@/lib/coalesce";
import type { ConnectionState } from "@/lib/ReconnectingSocket";
import { useSocket } from "@/lib/useSocket";
import { hasEnded, jobListQuery, jobQuery, JOBS_KEY, type Job } from "./jobs";

/** Between two polls without a socket, and with one that may have lost a notification. */
const POLL_MS = 2_000;
const LIVE_POLL_MS = 20_000;
const MIN_REFETCH_GAP_MS = 400;

/** One job, followed until it has ended: by notifications, else by polling. */
export function useJob<T extends Job<unknown, unknown> = Job>(id: Id | null): UseQueryResult<T> {
  const job = useQuery(jobQuery<T>(id)).data;
  const isRunning = job !== undefined && !hasEnded(job);
  const connection = useJobSocket(isRunning ? `/ws/jobs?job=${encodeURIComponent(job.id)}` : null);
  return useQuery({ ...jobQuery<T>(id), refetchInterval: pollInterval(isRunning, connection) });
}

/** The user's jobs of a kind and about a subject, such as `study:12`, followed while any of them has not ended. */
export function useJobs<T extends Job<unknown, unknown> = Job>(kind?: string, subject?: string): UseQueryResult<T[]> {
  const jobs = useQuery(jobListQuery<T>(kind, subject)).data;
  const isRunning = jobs?.some((job) => !hasEnded(job)) ?? false;
  const connection = useJobSocket(isRunning ? "/ws/jobs" : null);
  return useQuery({ ...jobListQuery<T>(kind, subject), refetchInterval: pollInterval(isRunning, connection) });
}

function pollInterval(isRunning: boolean, connection: ConnectionState): number | false {
  if (!isRunning) return false;
  return connection === "live" ? LIVE_POLL_MS : POLL_MS;
}

function useJobSocket(path: string | null): ConnectionState {
  const queryClient = useQueryClient();
  const refetch = useMemo(
    () => coalesce(() => queryClient.invalidateQueries({ queryKey: JOBS_KEY }), MIN_REFETCH_GAP_MS),
    [queryClient],
  );
  return useSocket(path, { onOpened: refetch, onRefused: refetch, onMessage: refetch });
}
