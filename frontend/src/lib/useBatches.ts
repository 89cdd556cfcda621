import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Unreachable } from "@/api/client";
import type { ExpertBatch, Id } from "@/api/contract";
import { batchesQuery } from "./batches";
import { readKeptBatches } from "./keptBatches";
import { useMe } from "./me";
import { usePendingCount } from "./offline";

export interface KnownBatches {
  /** Undefined while nothing is known of them. */
  rows: ExpertBatch[] | undefined;
  /** The server is silent: only what this device keeps can be opened. */
  isSilent: boolean;
  opens: (batch: Id) => boolean;
  error: Error | null;
  isAsking: boolean;
  ask: () => void;
}

/** Her batches: the server's list, and where the server is silent what this device knows of them. */
export function useBatches(options: { refetchOnMount?: "always" } = {}): KnownBatches {
  const query = useQuery({ ...batchesQuery, ...options });
  const onDevice = useKept();
  const isSilent = hearsNothing(query);
  const known = isSilent && onDevice ? merged(query.data ?? [], onDevice) : query.data;
  return {
    rows: known?.length || !isSilent ? known : undefined,
    isSilent,
    opens: (batch) => !isSilent || (onDevice ?? []).some(({ id }) => id === batch),
    error: query.error,
    isAsking: query.isFetching,
    ask: () => void query.refetch(),
  };
}

/** At the first failure, not after the last; and while it is asked again after one. */
function hearsNothing(query: UseQueryResult): boolean {
  if (query.failureReason) return query.failureReason instanceof Unreachable;
  return query.isFetching && query.errorUpdatedAt > query.dataUpdatedAt;
}

/** What this device knows is newer: it has what she did since. */
function merged(read: ExpertBatch[], onDevice: ExpertBatch[]): ExpertBatch[] {
  const newer = new Map(onDevice.map((batch) => [batch.id, batch]));
  const unread = onDevice.filter(({ id }) => !read.some((batch) => batch.id === id));
  return [...read.map((batch) => newer.get(batch.id) ?? batch), ...unread];
}

function useKept(): ExpertBatch[] | undefined {
  const account = useMe()?.id;
  const waiting = usePendingCount(account);
  return useQuery({
    queryKey: ["kept-batches", account, waiting],
    queryFn: () => readKeptBatches(account ?? ""),
    enabled: account !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  }).data;
}
