import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Thread } from "@/api/contract";
import { formatPlural } from "@/lib/format";
import { readListQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";

export const MAX_MESSAGE = 2000;

/** The expert's own. */
export const ownThreadsQuery = readListQuery<Thread>(["threads"], "/api/v1/threads", { staleTime: 30_000 });

/** A change of one thread, after which the list that shows it is read again. */
export function useThreadMutation<Input>(key: QueryKey, send: (input: Input) => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: send, onSettled: () => queries.invalidateQueries({ queryKey: key }) });
}

export const markRead = (thread: number) => request<void>(`/api/v1/threads/${thread}/reading`, { method: "POST" });

export const unreadLabel = (count: number) => formatPlural(count, "new message");
