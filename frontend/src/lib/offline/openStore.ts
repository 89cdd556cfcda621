import { openIndexedDbStore } from "./indexedDbStore";
import { createMemoryStore } from "./memoryStore";
import type { OfflineStore } from "./store";

/** In IndexedDB where that works, else in memory: see `isDurable`. */
export async function openStore(): Promise<OfflineStore> {
  return (await openIndexedDbStore()) ?? createMemoryStore();
}

let storePromise: Promise<OfflineStore> | null = null;

/** The one store of this page. */
export function sharedStore(): Promise<OfflineStore> {
  storePromise ??= openStore();
  return storePromise;
}
