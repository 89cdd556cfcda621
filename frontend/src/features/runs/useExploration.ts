import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { coalesce } from "@/lib/coalesce";
import type { ConnectionState } from "@/lib/ReconnectingSocket";
import { useSocket } from "@/lib/useSocket";
import { explorationsKey, isActive, trajectoryQuery, type Run } from "./queries";

/** Between two reads without a socket, and with one that may have lost a notification. */
const POLL_MS = 2_000;
const LIVE_POLL_MS = 20_000;
const MIN_REFETCH_GAP_MS = 400;

interface Updates {
  connection: ConnectionState;
  refetchInterval: number | false;
}

/** Reads the explorations of a run again while they grow: by notifications, else by polling. */
export function useExplorationUpdates(run: string, isGrowing: boolean): Updates {
  const queryClient = useQueryClient();
  const refetch = useMemo(() => coalesce(() => queryClient.invalidateQueries({ queryKey: explorationsKey(run) }), MIN_REFETCH_GAP_MS), [queryClient, run]);
  const connection = useSocket(isGrowing ? `/ws/runs/${run}` : null, { onOpened: refetch, onRefused: refetch, onMessage: refetch });
  const interval = connection === "live" ? LIVE_POLL_MS : POLL_MS;
  return { connection, refetchInterval: isGrowing ? interval : false };
}

/** The exploration of one root, followed while its run works on it. */
export function useExploration(run: Run, split: string, position: string) {
  const query = trajectoryQuery(run.id, split, position);
  const isGrowing = useQuery(query).data?.has_ended === false && isActive(run.state);
  const { connection, refetchInterval } = useExplorationUpdates(run.id, isGrowing);
  return { trajectory: useQuery({ ...query, refetchInterval }), isGrowing, connection };
}
