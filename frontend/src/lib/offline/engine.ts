/** Sends one account's queue: one write in flight, until each has the server's word. */
import { call } from "@/api/client";
import type { Id, Me, Response } from "@/api/contract";
import { uuid } from "@/lib/uuid";
import { backoffMs } from "./backoff";
import { inMemory, type Change, type Kept } from "./database";
import {
  acknowledge,
  changesIn,
  claim,
  enqueue,
  firstSendable,
  hold,
  rebase,
  sameAnswer,
  type Hold,
  type Incoming,
  type QueuedWrite,
} from "./queue";
import { alone, Tabs, type News } from "./tabs";
import { verdictOn } from "./verdict";

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

export interface Timing {
  quietMs: number;
  /** Typing without a pause is saved all the same. */
  atMostMs: number;
  backoff: (failures: number) => number;
}

const TIMING: Timing = { quietMs: 300, atMostMs: 2000, backoff: backoffMs };

export class SyncEngine {
  #state: SyncState;
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Set<(news: News) => void>();
  readonly #tabs: Tabs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitingSince: number | null = null;
  #failures = 0;
  #running: Promise<void> | null = null;
  #again = false;
  #isHer = false;
  #stopped = false;
  readonly #doubted = new Set<Id>();

  constructor(
    readonly account: Id,
    private kept: Kept,
    private readonly timing: Timing = TIMING,
  ) {
    const { durable } = kept;
    this.#state = { durable, phase: "idle", changes: 0, queue: [], retryAt: null, savedAt: null };
    this.#tabs = new Tabs(account, (news) => void this.#hear(news));
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

  async start(): Promise<void> {
    await this.#read();
    if (this.#state.queue.length) await this.sendNow();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#tabs.close();
  }

  /** Resolves when the change is kept on this device. */
  async add(incoming: Omit<Incoming, "account">): Promise<void> {
    const full = { ...incoming, account: this.account };
    await this.#change(incoming.assignment, (queue) => enqueue(queue, full));
    this.#schedule(incoming.write.action === "save" ? this.timing.quietMs : 0);
  }

  /** Try at once: the network is back, the page is leaving, or she asked. */
  sendNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waitingSince = null;
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  /** Somebody may have signed in or out since: ask before anything is sent. */
  doubt(): void {
    this.#isHer = false;
  }

  async keepMine(assignment: Id): Promise<void> {
    await this.#change(assignment, (queue) => {
      const why = queue[0]?.hold;
      return rebase(queue, why?.kind === "conflict" ? why.current.version : (queue[0]?.write.version ?? 0));
    });
    await this.sendNow();
  }

  async takeSaved(assignment: Id, current: Response): Promise<void> {
    await this.#change(assignment, () => []);
    await this.#learn(assignment, current);
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      await alone(this.account, () => this.#sendAll());
    } while (this.#again && !this.#stopped);
  }

  async #sendAll(): Promise<void> {
    await this.#read();
    let next = this.#next();
    while (next && !this.#stopped && (await this.#isHers()) && (await this.#send(next))) next = this.#next();
    if (!next) this.#tell({ phase: "idle", retryAt: null });
  }

  #next(): QueuedWrite | null {
    return firstSendable(this.#state.queue);
  }

  /** False when sending has to stop for now. */
  async #send(item: QueuedWrite): Promise<boolean> {
    const queue = await this.#change(item.assignment, (all) => claim(all, item.id, item.key ?? uuid()));
    const claimed = queue.find(({ id }) => id === item.id);
    if (!claimed) return true;
    this.#tell({ phase: "sending", retryAt: null });
    try {
      await this.#acknowledged(claimed, await put(claimed));
      return true;
    } catch (error) {
      return this.#failed(claimed, error);
    }
  }

  async #acknowledged(item: QueuedWrite, response: Response): Promise<void> {
    this.#failures = 0;
    this.#doubted.delete(item.id);
    // The server's word is told before the write leaves the queue: between the two the page would
    // show what was there before her change.
    await this.#learn(item.assignment, response);
    await this.#change(item.assignment, (queue) => acknowledge(queue, item.id, response.version));
    this.#tell({ savedAt: Date.now() });
  }

  async #failed(item: QueuedWrite, error: unknown): Promise<boolean> {
    const verdict = verdictOn(error);
    if (verdict.kind === "again") return this.#later();
    if (verdict.kind === "signed_out") return this.#pause("signed_out");
    if (verdict.kind === "who") return this.#doubtful(item, error);
    if (verdict.kind === "conflict") return this.#parted(item, verdict.current);
    return this.#hold(item, verdict.why);
  }

  /** Not hers, or not signed in as her: ask who it is, try once more, then keep it and say so. */
  async #doubtful(item: QueuedWrite, error: unknown): Promise<boolean> {
    this.doubt();
    if (!(await this.#isHers())) return false;
    if (!this.#doubted.has(item.id)) {
      this.#doubted.add(item.id);
      return true;
    }
    return this.#hold(item, { kind: "not_yours", sentence: (error as Error).message });
  }

  /** The same answer from elsewhere is no conflict: there is nothing to choose between. */
  async #parted(item: QueuedWrite, current: Response): Promise<boolean> {
    if (!sameAnswer(item.write, current)) return this.#hold(item, { kind: "conflict", current });
    await this.#change(item.assignment, (queue) => rebase(queue, current.version));
    return true;
  }

  async #hold(item: QueuedWrite, why: Hold): Promise<boolean> {
    await this.#change(item.assignment, (queue) => hold(queue, item.id, why));
    return true;
  }

  async #isHers(): Promise<boolean> {
    if (this.#isHer) return true;
    try {
      const { user } = await call<{ user: Me | null }>("/api/v1/me");
      this.#isHer = user?.id === this.account;
      return this.#isHer || this.#pause(user ? "other_account" : "signed_out");
    } catch (error) {
      if (verdictOn(error).kind === "again") return this.#later();
      return this.#pause("signed_out");
    }
  }

  #later(): false {
    this.#failures += 1;
    const wait = this.timing.backoff(this.#failures);
    const phase = navigator.onLine ? "retrying" : "offline";
    this.#tell({ phase, retryAt: Date.now() + wait });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.sendNow(), wait);
    return false;
  }

  #pause(phase: "signed_out" | "other_account"): false {
    this.doubt();
    this.#tell({ phase, retryAt: null });
    return false;
  }

  #schedule(wait: number): void {
    if (this.#state.phase === "signed_out" || this.#state.phase === "other_account") return;
    if (this.#state.retryAt !== null && this.#failures > 0) return;
    if (this.#state.phase === "idle") this.#tell({ phase: "waiting" });
    this.#waitingSince ??= Date.now();
    const left = this.timing.atMostMs - (Date.now() - this.#waitingSince);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.sendNow(), Math.max(0, Math.min(wait, left)));
  }

  async #hear(news: News): Promise<void> {
    await this.#read();
    if (news.response) this.#tell({ savedAt: Date.now() });
    for (const listener of this.#listeners) listener(news);
  }

  async #learn(assignment: Id, response: Response): Promise<void> {
    await this.kept.keepResponse({ account: this.account, assignment, response });
    this.#spread({ account: this.account, assignment, response });
  }

  #spread(news: News): void {
    this.#tabs.tell(news);
    for (const listener of this.#listeners) listener(news);
  }

  async #change(assignment: Id, change: Change): Promise<QueuedWrite[]> {
    const queue = await this.#changeKept(assignment, change);
    await this.#read();
    this.#tabs.tell({ account: this.account, assignment, response: null });
    return queue;
  }

  /** A full or broken disk: go on in memory with what is known, and let the page say so. */
  async #changeKept(assignment: Id, change: Change): Promise<QueuedWrite[]> {
    try {
      return await this.kept.change(this.account, assignment, change);
    } catch (error) {
      if (!(error instanceof DOMException) || !this.kept.durable) throw error;
      this.kept = inMemory(this.#state.queue);
      this.#tell({ durable: false });
      return this.kept.change(this.account, assignment, change);
    }
  }

  async #read(): Promise<void> {
    const queue = await this.kept.writes(this.account);
    this.#tell({ queue, changes: changesIn(queue) });
  }

  #tell(change: Partial<SyncState>): void {
    this.#state = { ...this.#state, ...change };
    for (const watcher of this.#watchers) watcher();
  }
}

/** Small writes outlive the page that sent them; browsers allow 64 kB for all of these together. */
const KEEPALIVE_CHARACTERS = 15_000;

function put(item: QueuedWrite): Promise<Response> {
  return call<Response>(`/api/v1/assignments/${item.assignment}/response`, {
    method: "PUT",
    json: item.write,
    ...(item.key && { idempotencyKey: item.key }),
    keepalive: JSON.stringify(item.write).length < KEEPALIVE_CHARACTERS,
  });
}
