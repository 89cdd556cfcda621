import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { boardKey, releasesQuery } from "@/domains/evaluation/queries";
import { coalesce } from "@/lib/coalesce";
import type { ChangeNotification, ConnectionState } from "@/lib/ReconnectingSocket";
import { useSocket } from "@/lib/useSocket";

const MIN_REFETCH_GAP_MS = 1_000;
export const POLL_MS = 15_000;

/**
 * Refetches the board when the server announces a new standing, and the releases when it announces that
 * the state of this one has changed; null follows nothing.
 */
export function useBoardUpdates(release: string | null): ConnectionState {
  const queryClient = useQueryClient();
  const refetch = useMemo(
    () => coalesce(() => queryClient.invalidateQueries({ queryKey: boardKey(release ?? "") }), MIN_REFETCH_GAP_MS),
    [queryClient, release],
  );
  const refetchReleases = useMemo(
    () => coalesce(() => queryClient.invalidateQueries({ queryKey: releasesQuery.queryKey }), MIN_REFETCH_GAP_MS),
    [queryClient],
  );
  const refetchAll = () => {
    refetch();
    refetchReleases();
  };
  const wasOpened = useRef(false);
  // The page has just read the releases when its socket opens for the first time.
  const onOpened = () => (wasOpened.current ? refetchAll() : refetch());
  const onMessage = ({ topic }: ChangeNotification) => (topic === "release" ? refetchAll() : refetch());
  const connection = useSocket(release && `/ws/boards/${release}`, {
    onOpened: () => {
      onOpened();
      wasOpened.current = true;
    },
    onRefused: refetchAll,
    onMessage,
  });
  const isPolling = release !== null && connection === "checking";
  useEffect(() => {
    if (!isPolling) return undefined;
    const timer = setInterval(refetchReleases, POLL_MS);
    return () => clearInterval(timer);
  }, [isPolling, refetchReleases]);
  return connection;
}
