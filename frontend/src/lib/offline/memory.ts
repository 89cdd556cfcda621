/** The same as the database, for as long as the page is open. */
import type { Kept, KeptBatch, KeptResponse } from "./database";
import { inOrder, type QueuedWrite } from "./queue";

export function inMemory(start: QueuedWrite[] = []): Kept {
  const writes = new Map(start.map((item) => [item.id, item]));
  const batches = new Map<string, KeptBatch>();
  const responses = new Map<string, KeptResponse>();
  const of = (account: string) => inOrder([...writes.values()].filter((item) => item.account === account));
  const key = (...parts: string[]) => parts.join(" ");
  return {
    durable: false,
    writes: async (account) => of(account),
    change: async (account, assignment, change) => {
      const before = of(account).filter((item) => item.assignment === assignment);
      const after = change({ queue: before, saved: responses.get(key(account, assignment)) ?? null });
      for (const item of before) writes.delete(item.id);
      for (const item of after.queue) writes.set(item.id, item);
      if (after.saved) responses.set(key(account, assignment), after.saved);
      return after.queue;
    },
    batch: async (account, batch) => batches.get(key(account, batch))?.data ?? null,
    batches: async (account) =>
      [...batches.values()].filter((one) => one.account === account).map(({ data }) => data),
    keepBatch: async (kept) => void batches.set(key(kept.account, kept.batch), kept),
    responses: async (account) => [...responses.values()].filter((one) => one.account === account),
    saved: async (account, assignment) => responses.get(key(account, assignment)) ?? null,
    forget: async (account) => {
      for (const [at, kept] of batches) if (kept.account === account) batches.delete(at);
      for (const [at, one] of responses) if (one.account === account) responses.delete(at);
    },
  };
}
