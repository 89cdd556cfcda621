/** One account's stored queue as this page sees it, with its listeners and the other tabs. */
import type { Id, Response } from "@/api/contract";
import { createMemoryStore } from "./memoryStore";
import { countChanges } from "./outbox";
import type { ResponseQueueUpdate, OfflineStore, StoredResponse } from "./store";
import { TabChannel, type TabMessage } from "./tabChannel";
import type { QueuedActivity, QueuedWrite } from "./types";

export type Phase =
  | "idle"
  | "waiting"
  | "sending"
  | "offline"
  | "retrying"
  | "signed_out"
  | "other_account";

export interface SyncState {
  /** Whether what waits outlives the tab. */
  isDurable: boolean;
  phase: Phase;
  changes: number;
  queue: QueuedWrite[];
  activity: QueuedActivity[];
  retryAt: number | null;
  savedAt: number | null;
}

type QueueUpdate = (queue: QueuedWrite[]) => QueuedWrite[];

export class AccountQueue {
  #state: SyncState;
  readonly #stateListeners = new Set<() => void>();
  readonly #messageListeners = new Set<(message: TabMessage) => void>();
  readonly #tabChannel: TabChannel;
  #readsStarted = 0;
  #lastReadShown = 0;

  constructor(
    private readonly account: Id,
    private store: OfflineStore,
    onTabMessage: (message: TabMessage) => void,
  ) {
    const { isDurable } = store;
    this.#state = { isDurable, phase: "idle", changes: 0, queue: [], activity: [], retryAt: null, savedAt: null };
    this.#tabChannel = new TabChannel(account, onTabMessage);
  }

  get state(): SyncState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  onMessage(listener: (message: TabMessage) => void): () => void {
    this.#messageListeners.add(listener);
    return () => this.#messageListeners.delete(listener);
  }

  setState(change: Partial<SyncState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#stateListeners) listener();
  }

  /** To the parts of this page. */
  emit(message: TabMessage): void {
    for (const listener of this.#messageListeners) listener(message);
  }

  close(): void {
    this.#tabChannel.close();
  }

  updateQueue(resource: Id, update: QueueUpdate): Promise<QueuedWrite[]> {
    return this.update(resource, ({ queue, serverResponse }) => ({ queue: update(queue), serverResponse }));
  }

  async update(resource: Id, update: ResponseQueueUpdate): Promise<QueuedWrite[]> {
    return this.#updateAndNotify(resource, update, null);
  }

  /** Stores the server's response together with what it does to the queued writes. */
  async saveServerResponse(saved: StoredResponse, update: QueueUpdate): Promise<void> {
    const { resource, response } = saved;
    const both: ResponseQueueUpdate = (stored) => ({
      queue: update(stored.queue),
      serverResponse: newerResponse(stored.serverResponse, saved),
    });
    await this.#updateAndNotify(resource, both, response);
  }

  async appendActivity(resource: Id, entries: QueuedActivity[]): Promise<void> {
    await this.#withMemoryFallback((store) => store.appendActivity(entries));
    await this.#notify(resource, null);
  }

  async removeActivity(resource: Id, ids: Id[]): Promise<void> {
    await this.#withMemoryFallback((store) => store.removeActivity(this.account, ids));
    await this.#notify(resource, null);
  }

  async #updateAndNotify(resource: Id, update: ResponseQueueUpdate, response: Response | null): Promise<QueuedWrite[]> {
    const queue = await this.#withMemoryFallback((store) => store.updateQueue(this.account, resource, update));
    await this.#notify(resource, response);
    return queue;
  }

  async #notify(resource: Id, response: Response | null): Promise<void> {
    const message = { account: this.account, resource, response };
    this.#tabChannel.post(message);
    if (response) this.emit(message);
    await this.read();
  }

  async read(): Promise<void> {
    this.#readsStarted += 1;
    const read = this.#readsStarted;
    const queue = await this.#withMemoryFallback((store) => store.readWrites(this.account));
    const activity = await this.#withMemoryFallback((store) => store.readActivity(this.account));
    await this.#emitAcknowledged(queue);
    // A slower, older read must not be shown after a newer one.
    if (read < this.#lastReadShown) return;
    this.#lastReadShown = read;
    this.setState({ queue, activity, changes: countChanges(queue) });
  }

  /**
   * The server's response is emitted before the queue is shown without the write that it answers:
   * between the two the page would show what was there before the change.
   */
  async #emitAcknowledged(queue: QueuedWrite[]): Promise<void> {
    const { account } = this;
    const remaining = new Set(queue.map(({ id }) => id));
    const acknowledged = this.#state.queue.filter(({ id }) => !remaining.has(id)).map(({ resource }) => resource);
    for (const resource of new Set(acknowledged)) {
      const saved = await this.#withMemoryFallback((store) => store.readResponse(account, resource));
      if (saved) this.emit({ account, resource, response: saved.response });
    }
  }

  /** With a full or broken disk, continue in memory with what is known; the page shows a warning. */
  async #withMemoryFallback<Result>(use: (store: OfflineStore) => Promise<Result>): Promise<Result> {
    try {
      return await use(this.store);
    } catch (error) {
      if (!(error instanceof DOMException) || !this.store.isDurable) throw error;
      this.store = createMemoryStore(this.#state.queue, this.#state.activity);
      this.setState({ isDurable: false });
      return use(this.store);
    }
  }
}

/** A late answer to an early write does not replace a newer one. */
function newerResponse(known: StoredResponse | null, received: StoredResponse): StoredResponse {
  return known && known.response.version > received.response.version ? known : received;
}
