import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { boardKey } from "@/domains/evaluation/queries";
import { coalesce } from "@/lib/coalesce";
import type { ConnectionState } from "@/lib/ReconnectingSocket";
import { useSocket } from "@/lib/useSocket";

const MIN_REFETCH_GAP_MS = 1_000;

/** Refetches the board when the server announces a new standing; null follows nothing. */
export function useBoardUpdates(release: string | null): ConnectionState {
  const queryClient = useQueryClient();
  const refetch = useMemo(
    () => coalesce(() => queryClient.invalidateQueries({ queryKey: boardKey(release ?? "") }), MIN_REFETCH_GAP_MS),
    [queryClient, release],
  );
  return useSocket(release && `/ws/boards/${release}`, { onOpened: refetch, onRefused: refetch, onMessage: refetch });
}
