import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { isUnavailable } from "@/api/client";
import type { ExpertBatch, Id } from "@/api/contract";
import { useCurrentUser } from "@/lib/currentUser";
import { usePendingCount } from "@/lib/offline";
import { batchesQuery } from "./batches";
import { readCachedBatches } from "./cachedBatches";

export type BatchList = ReturnType<typeof useBatches>;

/** The expert's batches: the server's list, or offline the batches on this device. */
export function useBatches(options: { refetchOnMount?: "always" } = {}) {
  const query = useQuery({ ...batchesQuery, ...options });
  const onDevice = useCachedBatches();
  const isOffline = isOfflineError(query);
  const known = isOffline && onDevice ? mergeCached(query.data ?? [], onDevice) : query.data;
  return {
    /** Undefined while nothing is known of them. */
    rows: known?.length || !isOffline ? known : undefined,
    /** The server is silent: only what this device keeps can be opened. */
    isOffline,
    canOpenOffline: (batch: Id) => !isOffline || (onDevice ?? []).some(({ id }) => id === batch),
    error: query.error,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
  };
}

/** At the first failure, not after the last; and while it is requested again after one. */
function isOfflineError(query: UseQueryResult): boolean {
  if (query.failureReason) return isUnavailable(query.failureReason);
  return query.isFetching && query.errorUpdatedAt > query.dataUpdatedAt;
}

/** The batches on this device are newer: they include unsent changes. */
function mergeCached(read: ExpertBatch[], onDevice: ExpertBatch[]): ExpertBatch[] {
  const newer = new Map(onDevice.map((batch) => [batch.id, batch]));
  const unread = onDevice.filter(({ id }) => !read.some((batch) => batch.id === id));
  return [...read.map((batch) => ({ ...batch, ...newer.get(batch.id), study: batch.study })), ...unread];
}

function useCachedBatches(): ExpertBatch[] | undefined {
  const account = useCurrentUser()?.id;
  const waiting = usePendingCount(account);
  return useQuery({
    queryKey: ["kept-batches", account, waiting],
    queryFn: () => readCachedBatches(account ?? ""),
    enabled: account !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  }).data;
}
