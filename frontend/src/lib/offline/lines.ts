/** One account's lines, as this page sees them: what is kept, what other tabs say, who watches. */
import type { Id, Response } from "@/api/contract";
import type { Change, Kept, KeptResponse } from "./database";
import { inMemory } from "./memory";
import { changesIn, type QueuedWrite } from "./queue";
import { Tabs, type News } from "./tabs";

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
  durable: boolean;
  phase: Phase;
  changes: number;
  queue: QueuedWrite[];
  retryAt: number | null;
  savedAt: number | null;
}

type QueueChange = (queue: QueuedWrite[]) => QueuedWrite[];

export class Lines {
  #state: SyncState;
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Set<(news: News) => void>();
  readonly #tabs: Tabs;
  #reads = 0;
  #shown = 0;

  constructor(
    private readonly account: Id,
    private kept: Kept,
    hear: (news: News) => void,
  ) {
    const { durable } = kept;
    this.#state = { durable, phase: "idle", changes: 0, queue: [], retryAt: null, savedAt: null };
    this.#tabs = new Tabs(account, hear);
  }

  get state(): SyncState {
    return this.#state;
  }

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  listen(listener: (news: News) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(change: Partial<SyncState>): void {
    this.#state = { ...this.#state, ...change };
    for (const watcher of this.#watchers) watcher();
  }

  /** To the parts of this page. */
  pass(news: News): void {
    for (const listener of this.#listeners) listener(news);
  }

  close(): void {
    this.#tabs.close();
  }

  changeQueue(assignment: Id, change: QueueChange): Promise<QueuedWrite[]> {
    return this.change(assignment, ({ queue, saved }) => ({ queue: change(queue), saved }));
  }

  async change(assignment: Id, change: Change): Promise<QueuedWrite[]> {
    return this.#changed(assignment, change, null);
  }

  /** The server's word, and what it does to what waits. */
  async heard(saved: KeptResponse, change: QueueChange): Promise<void> {
    const { assignment, response } = saved;
    const both: Change = (line) => ({ queue: change(line.queue), saved: newest(line.saved, saved) });
    await this.#changed(assignment, both, response);
  }

  async #changed(assignment: Id, change: Change, response: Response | null): Promise<QueuedWrite[]> {
    const queue = await this.#orInMemory((device) => device.change(this.account, assignment, change));
    const news = { account: this.account, assignment, response };
    this.#tabs.tell(news);
    if (response) this.pass(news);
    await this.read();
    return queue;
  }

  async read(): Promise<void> {
    this.#reads += 1;
    const turn = this.#reads;
    const queue = await this.#orInMemory((device) => device.writes(this.account));
    await this.#tellOfAnswered(queue);
    // A slower reading of what was there before must not be shown after a newer one.
    if (turn < this.#shown) return;
    this.#shown = turn;
    this.tell({ queue, changes: changesIn(queue) });
  }

  /**
   * The server's word is told before the queue is shown without the write that it answers: between
   * the two the page would show what was there before her change.
   */
  async #tellOfAnswered(queue: QueuedWrite[]): Promise<void> {
    const { account } = this;
    const left = new Set(queue.map(({ id }) => id));
    const answered = this.#state.queue.filter(({ id }) => !left.has(id)).map(({ assignment }) => assignment);
    for (const assignment of new Set(answered)) {
      const saved = await this.#orInMemory((device) => device.saved(account, assignment));
      if (saved) this.pass({ account, assignment, response: saved.response });
    }
  }

  /** A full or broken disk: go on in memory with what is known, and let the page say so. */
  async #orInMemory<Result>(use: (device: Kept) => Promise<Result>): Promise<Result> {
    try {
      return await use(this.kept);
    } catch (error) {
      if (!(error instanceof DOMException) || !this.kept.durable) throw error;
      this.kept = inMemory(this.#state.queue);
      this.tell({ durable: false });
      return use(this.kept);
    }
  }
}

/** A late answer to an early write does not undo what is known since. */
function newest(known: KeptResponse | null, heard: KeptResponse): KeptResponse {
  if (known && known.response.version > heard.response.version) return known;
  // Looking makes no version: the page that made this one still knows it.
  return known?.response.version === heard.response.version ? { ...heard, page: heard.page ?? known.page } : heard;
}
