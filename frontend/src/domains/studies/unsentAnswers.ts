import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Id } from "@/api/contract";
import { useCurrentUser } from "@/lib/currentUser";
import { sharedStore, useSyncEngine, useSyncState, type QueuedWrite } from "@/lib/offline";
import { batchName } from "./batches";

/** An answer that the server rejected, with a link to its question. */
export interface UnsentAnswer {
  assignment: Id;
  /** 'Question 3 of Batch 1', as far as this device has the batch. */
  name: string;
  path: string;
}

/** The answers that stay on this device until the user decides about them. */
export function useUnsentAnswers(): UnsentAnswer[] {
  const account = useCurrentUser()?.id;
  const queue = useSyncState(useSyncEngine(account))?.queue ?? [];
  const blocked = queue.filter((item) => item.blocked && item.blocked.kind !== "paused");
  const { data } = useQuery({
    queryKey: ["blocked", account, blocked.map(({ resource }) => resource)],
    queryFn: () => nameUnsentAnswers(blocked),
    enabled: blocked.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  return blocked.length > 0 ? (data ?? []) : [];
}

/** Each answer once, sorted by batch and question. */
async function nameUnsentAnswers(blocked: QueuedWrite[]): Promise<UnsentAnswer[]> {
  const store = await sharedStore();
  const byResource = new Map(blocked.map((write) => [write.resource, write]));
  const named = await Promise.all(
    [...byResource.values()].map(async ({ account, resource, batch }) => {
      const data = await store.readBatch(account, batch);
      const item = data?.assignments.find(({ id }) => id === resource)?.item;
      const order = [data?.batch.number ?? 0, item?.number ?? 0] as const;
      const name = data && item ? `Question ${item.number} of ${batchName(data.batch)}` : "An answer";
      return { assignment: resource, name, path: `/rank/${batch}${item ? `?q=${item.number}` : ""}`, order };
    }),
  );
  return named.toSorted((left, right) => left.order[0] - right.order[0] || left.order[1] - right.order[1])
    .map(({ assignment, name, path }) => ({ assignment, name, path }));
}
