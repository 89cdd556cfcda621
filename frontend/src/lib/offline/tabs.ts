/** Several tabs, one queue: one of them sends at a time, and each tells the others. */
import type { Id, Response } from "@/api/contract";

export interface News {
  account: Id;
  assignment: Id;
  /** The server's new word; null where only the queue changed. */
  response: Response | null;
}

const CHANNEL = "serendib-queue";

/**
 * Where the page came over plain http there are no locks: then two tabs may send the same write,
 * which has the same key, so that the server answers it once.
 */
export async function alone(account: Id, work: () => Promise<void>): Promise<void> {
  if (!("locks" in navigator)) return work();
  await navigator.locks.request(`${CHANNEL}-${account}`, work);
}

export class Tabs {
  #channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(CHANNEL);

  constructor(account: Id, hear: (news: News) => void) {
    this.#channel?.addEventListener("message", (event: MessageEvent<News>) => {
      if (event.data.account === account) hear(event.data);
    });
  }

  tell(news: News): void {
    this.#channel?.postMessage(news);
  }

  close(): void {
    this.#channel?.close();
    // What is still in flight is acknowledged later, with nobody left to tell.
    this.#channel = null;
  }
}
