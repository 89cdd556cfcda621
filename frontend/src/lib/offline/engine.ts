/** Sends one account's queue: one write in flight, until each has the server's word. */
import type { Id, Response } from "@/api/contract";
import { uuid } from "@/lib/uuid";
import type { Kept } from "./database";
import { fitsInOne } from "./fitting";
import { Identity } from "./identity";
import { Lines, type SyncState } from "./lines";
import {
  acknowledge,
  addLook,
  addSentLook,
  agrees,
  claim,
  enqueue,
  firstSendable,
  giveWay,
  hold,
  rebase,
  release,
  sentLook,
  sinceSaved,
  type Hold,
  type Incoming,
  type Look,
  type QueuedWrite,
} from "./queue";
import { put } from "./put";
import { alone, type News } from "./tabs";
import { TIMING, type Timing } from "./timing";
import { verdictOn } from "./verdict";

/** So many failures one after the other are the server's, not the write's. */
const FAILURES_AT_MOST = 3;

export class SyncEngine {
  readonly #page = uuid();
  readonly #lines: Lines;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitingSince: number | null = null;
  #failures = 0;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  readonly #identity: Identity;
  readonly #doubted = new Set<Id>();

  constructor(
    readonly account: Id,
    kept: Kept,
    private readonly timing: Timing = TIMING,
  ) {
    this.#identity = new Identity(account, timing.answerMs);
    this.#lines = new Lines(account, kept, (news) => void this.#hear(news));
  }

  get state(): SyncState {
    return this.#lines.state;
  }

  watch = (watcher: () => void): (() => void) => this.#lines.watch(watcher);

  listen(listener: (news: News) => void): () => void {
    return this.#lines.listen(listener);
  }

  /** What was refused for reasons that may have passed is tried once more with every new page. */
  async start(): Promise<void> {
    await this.#lines.read();
    const held = this.state.queue.filter((item) => item.hold).map((item) => item.assignment);
    for (const assignment of new Set(held)) {
      await this.#lines.changeQueue(assignment, (queue) => release(queue, ["not_yours", "closed"]));
    }
    if (this.state.queue.length) await this.sendNow();
    else await this.#identity.ask(); // a page that closes has no time to
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#lines.close();
  }

  /** Resolves when the change is kept on this device. */
  async add(incoming: Omit<Incoming, "account" | "page">): Promise<void> {
    const full = { ...incoming, account: this.account, page: this.#page };
    await this.#lines.change(incoming.assignment, ({ queue, saved }) => ({
      queue: enqueue(queue, queue.some(({ looks }) => !looks) ? full : sinceSaved(full, saved)),
      saved,
    }));
    this.#schedule(incoming.write.action === "save" ? this.timing.quietMs : 0);
  }

  /** That she looked, and for how long. It changes no answer, whatever the page may show. */
  async look(look: Omit<Look, "account" | "page">, shown: Response): Promise<void> {
    const full = { ...look, account: this.account, page: this.#page };
    await this.#lines.change(look.assignment, ({ queue, saved }) => ({
      queue: addLook(queue, full, saved && saved.response.version > shown.version ? saved.response : shown),
      saved,
    }));
    this.#schedule(this.timing.quietMs);
  }

  /**
   * The same from a page that may be closing: its request outlives it, and is made before anything
   * is waited for. What is kept of it has the same key, so that it is recorded once.
   */
  async lookLast(look: Omit<Look, "account" | "page">, shown: Response): Promise<void> {
    if (!this.#maySend || !this.#identity.isUnchanged || !fitsInOne(look.write.events)) return this.look(look, shown);
    const full = { ...look, account: this.account, page: this.#page };
    const item = sentLook(full, shown);
    // Why it failed is asked by whoever sends it again.
    const answer = put(item, this.timing.answerMs).catch(() => null);
    await this.#lines.changeQueue(look.assignment, (queue) => addSentLook(queue, full, shown));
    const response = await answer;
    if (response) await this.#acknowledged(item, response);
    else this.#schedule(0);
  }

  /** Try at once: the network is back, the page is leaving, or she asked. */
  sendNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waitingSince = null;
    if (this.#stopped) return Promise.resolve();
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  /** Somebody may have signed in or out since: ask before anything is sent. */
  doubt(): void {
    this.#identity.doubt();
  }

  /** The session is not hers now; everything waits until it is again. */
  pause(phase: "signed_out" | "other_account"): false {
    this.doubt();
    clearTimeout(this.#timer);
    this.#lines.tell({ phase, retryAt: null });
    return false;
  }

  /** The device says that it has no network: no use in trying before it has. */
  disconnected(): void {
    if (this.state.phase !== "signed_out" && this.state.phase !== "other_account") this.#lines.tell({ phase: "offline" });
  }

  async keepMine(assignment: Id): Promise<void> {
    await this.#lines.changeQueue(assignment, (queue) => {
      const why = queue[0]?.hold;
      return why?.kind === "conflict" ? rebase(queue, why.current.version) : queue;
    });
    await this.sendNow();
  }

  /** Her answer gives way to the saved one; what she did on the way is still recorded. */
  async takeSaved(assignment: Id, current: Response): Promise<void> {
    const saved = { account: this.account, assignment, response: current, page: this.#page };
    await this.#lines.heard(saved, (queue) => rebase(giveWay(queue, current), current.version));
    await this.sendNow();
  }

  async tryAgain(assignment: Id): Promise<void> {
    await this.#lines.changeQueue(assignment, (queue) => release(queue, ["not_yours", "closed", "refused"]));
    await this.sendNow();
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      await alone(this.account, () => this.#sendAll());
    } while (this.#again && !this.#stopped);
  }

  async #sendAll(): Promise<void> {
    await this.#lines.read();
    const failed = new Set<Id>();
    let next = firstSendable(this.state.queue);
    while (next && !this.#stopped && failed.size < FAILURES_AT_MOST) {
      if (!(await this.#isHers()) || !(await this.#send(next, failed))) return;
      next = firstSendable(this.state.queue, failed);
    }
    if (failed.size) this.#later();
    else if (!next) this.#lines.tell({ phase: "idle", retryAt: null });
  }

  /** False when sending has to stop for now. */
  async #send(item: QueuedWrite, failed: Set<Id>): Promise<boolean> {
    const queue = await this.#lines.changeQueue(item.assignment, (all) => claim(all, item));
    const claimed = queue[0];
    // Another tab sent or changed it in the meantime: look again at what there is.
    if (claimed?.id !== item.id || claimed.key !== item.key) return true;
    if (!this.#identity.isSure) return true;
    if (this.#stopped) return false; // whoever goes on repeats it under the same key
    this.#lines.tell({ phase: "sending", retryAt: null });
    try {
      await this.#acknowledged(claimed, await put(claimed, this.timing.answerMs));
      return true;
    } catch (error) {
      return this.#failed(claimed, error, failed);
    }
  }

  async #acknowledged(item: QueuedWrite, response: Response): Promise<void> {
    const { account } = this;
    const { assignment } = item;
    this.#failures = 0;
    this.#doubted.delete(item.id);
    const saved = { account, assignment, response, page: item.looks ? null : item.page };
    await this.#lines.heard(saved, (queue) => acknowledge(queue, item, response.version));
    this.#lines.tell({ savedAt: Date.now() });
  }

  async #failed(item: QueuedWrite, error: unknown, failed: Set<Id>): Promise<boolean> {
    const verdict = verdictOn(error);
    if (verdict.kind === "again") return this.#later();
    if (verdict.kind === "signed_out") return this.pause("signed_out");
    if (verdict.kind === "who") return this.#doubtful(item, error);
    if (verdict.kind === "conflict") return this.#parted(item, verdict.current);
    if (verdict.kind === "hold") return this.#hold(item, verdict.why);
    failed.add(item.id);
    return true;
  }

  /** Not hers, or not signed in as her: ask who it is, try once more, then keep it and say so. */
  async #doubtful(item: QueuedWrite, error: unknown): Promise<boolean> {
    this.doubt();
    if (!(await this.#isHers())) return false;
    if (!this.#doubted.has(item.id)) {
      this.#doubted.add(item.id);
      return true;
    }
    this.#doubted.delete(item.id);
    return this.#hold(item, { kind: "not_yours", sentence: (error as Error).message });
  }

  async #parted(item: QueuedWrite, current: Response): Promise<boolean> {
    if (!agrees(item, current)) return this.#hold(item, { kind: "conflict", current });
    await this.#lines.changeQueue(item.assignment, (queue) =>
      queue[0]?.key === item.key ? rebase(queue, current.version) : queue,
    );
    return true;
  }

  async #hold(item: QueuedWrite, why: Hold): Promise<boolean> {
    await this.#lines.changeQueue(item.assignment, (queue) => hold(queue, item, why));
    return true;
  }

  async #isHers(): Promise<boolean> {
    const whose = await this.#identity.ask();
    if (whose === "hers") return true;
    return whose === "unknown" ? this.#later() : this.pause(whose);
  }

  get #maySend(): boolean {
    const { phase } = this.state;
    return !this.#stopped && phase !== "signed_out" && phase !== "other_account" && phase !== "offline";
  }

  #later(): false {
    this.#failures += 1;
    // What waits for long must not be cleared away when the disk fills.
    if (this.#failures === 1) void navigator.storage?.persist?.();
    const wait = this.timing.backoff(this.#failures);
    const phase = navigator.onLine ? "retrying" : "offline";
    this.#lines.tell({ phase, retryAt: Date.now() + wait });
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(() => void this.sendNow(), wait);
    return false;
  }

  #schedule(wait: number): void {
    const { phase, retryAt } = this.state;
    if (phase === "signed_out" || phase === "other_account" || this.#stopped) return;
    if (retryAt !== null && this.#failures > 0) return;
    if (phase === "idle") this.#lines.tell({ phase: "waiting" });
    this.#waitingSince ??= Date.now();
    const left = this.timing.atMostMs - (Date.now() - this.#waitingSince);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.sendNow(), Math.max(0, Math.min(wait, left)));
  }

  /** Another tab queued or sent something; should it have closed since, this one goes on. */
  async #hear(news: News): Promise<void> {
    if (this.#stopped) return;
    this.#lines.pass(news);
    await this.#lines.read();
    if (news.response) this.#lines.tell({ savedAt: Date.now() });
    const waits = firstSendable(this.state.queue) !== null;
    if (waits && this.state.phase === "idle") this.#schedule(this.timing.othersMs);
    if (!waits && this.state.phase === "waiting") this.#lines.tell({ phase: "idle" });
  }
}
