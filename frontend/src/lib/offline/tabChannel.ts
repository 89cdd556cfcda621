/** Several tabs share one queue: one of them sends at a time, and each notifies the others. */
import type { Id, Response } from "@/api/contract";

export interface TabMessage {
  account: Id;
  resource: Id;
  /** The server's newest response; null where only the queue changed. */
  response: Response | null;
}

/** Its own name for this shape of message: a tab of an older build listens to another channel. */
const CHANNEL_NAME = "serendib-queue-2";

/**
 * Pages served over plain http have no locks: then two tabs may send the same write, which has the
 * same idempotency key, so that the server applies it once.
 */
export async function withAccountLock(account: Id, work: () => Promise<void>): Promise<void> {
  if (!("locks" in navigator)) return work();
  await navigator.locks.request(`${CHANNEL_NAME}-${account}`, work);
}

export class TabChannel {
  #channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(CHANNEL_NAME);

  constructor(account: Id, onMessage: (message: TabMessage) => void) {
    this.#channel?.addEventListener("message", (event: MessageEvent<TabMessage>) => {
      if (event.data.account === account) onMessage(event.data);
    });
  }

  post(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  close(): void {
    this.#channel?.close();
    // A request still in flight may be acknowledged later, when no tab listens any more.
    this.#channel = null;
  }
}
