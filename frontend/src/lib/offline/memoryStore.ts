/** The store in memory, which lasts as long as the page is open. */
import { sortByOrder } from "./outbox";
import type { OfflineStore, StoredBatch, StoredResponse } from "./store";
import type { QueuedActivity, QueuedWrite } from "./types";

export function createMemoryStore(initial: QueuedWrite[] = [], initialActivity: QueuedActivity[] = []): OfflineStore {
  const writes = new Map(initial.map((item) => [item.id, item]));
  const activity = new Map(initialActivity.map((item) => [item.id, item]));
  const batches = new Map<string, StoredBatch>();
  const responses = new Map<string, StoredResponse>();
  const ofAccount = (account: string) => sortByOrder([...writes.values()].filter((item) => item.account === account));
  const key = (...parts: string[]) => parts.join(" ");
  return {
    isDurable: false,
    readWrites: async (account) => ofAccount(account),
    updateQueue: async (account, resource, update) => {
      const before = ofAccount(account).filter((item) => item.resource === resource);
      const after = update({ queue: before, serverResponse: responses.get(key(account, resource)) ?? null });
      for (const item of before) writes.delete(item.id);
      for (const item of after.queue) writes.set(item.id, item);
      if (after.serverResponse) responses.set(key(account, resource), after.serverResponse);
      return after.queue;
    },
    readActivity: async (account) => [...activity.values()].filter((item) => item.account === account),
    appendActivity: async (entries) => {
      for (const item of entries) activity.set(item.id, item);
    },
    removeActivity: async (_, ids) => {
      for (const id of ids) activity.delete(id);
    },
    readBatch: async (account, batch) => batches.get(key(account, batch))?.data ?? null,
    readBatches: async (account) =>
      [...batches.values()].filter((stored) => stored.account === account).map(({ data }) => data),
    storeBatch: async (stored) => void batches.set(key(stored.account, stored.batch), stored),
    readResponses: async (account) => [...responses.values()].filter((stored) => stored.account === account),
    readResponse: async (account, resource) => responses.get(key(account, resource)) ?? null,
    clearAccount: async (account) => {
      for (const [id, stored] of batches) if (stored.account === account) batches.delete(id);
      for (const [id, stored] of responses) if (stored.account === account) responses.delete(id);
    },
  };
}
