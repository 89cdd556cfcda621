import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Id } from "@/api/contract";
import { nameOf } from "./batches";
import { useMe } from "./me";
import { kept, useSyncEngine, useSyncState, type QueuedWrite } from "./offline";

/** An answer that the server refused, and where it stands. */
export interface HeldAnswer {
  assignment: Id;
  /** 'Question 3 of Batch 1', as far as this device knows. */
  name: string;
  to: string;
}

/** Those of her answers that are kept on this device until she decides about them. */
export function useHeldAnswers(): HeldAnswer[] {
  const account = useMe()?.id;
  const queue = useSyncState(useSyncEngine(account))?.queue ?? [];
  const held = queue.filter((item) => item.hold);
  const { data } = useQuery({
    queryKey: ["held", account, held.map(({ assignment }) => assignment)],
    queryFn: () => named(held),
    enabled: held.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  return held.length > 0 ? (data ?? []) : [];
}

/** Of each answer once, in the order in which she will want to see them. */
async function named(held: QueuedWrite[]): Promise<HeldAnswer[]> {
  const device = await kept();
  const first = new Map(held.map((item) => [item.assignment, item]));
  const found = await Promise.all(
    [...first.values()].map(async ({ account, assignment, batch }) => {
      const data = await device.batch(account, batch);
      const question = data?.assignments.find(({ id }) => id === assignment)?.question;
      const order = [data?.batch.number ?? 0, question?.number ?? 0] as const;
      const name = data && question ? `Question ${question.number} of ${nameOf(data.batch)}` : "An answer";
      return { assignment, name, to: `/rank/${batch}${question ? `?q=${question.number}` : ""}`, order };
    }),
  );
  return found
    .toSorted((one, other) => one.order[0] - other.order[0] || one.order[1] - other.order[1])
    .map(({ assignment, name, to }) => ({ assignment, name, to }));
}
