/** Sends one account's queued writes, one request at a time, then its activity. */
import { Problem } from "@/api/client";
import type { Id, Response } from "@/api/contract";
import { uuid } from "@/lib/uuid";
import { AccountQueue, type SyncState } from "./accountQueue";
import { activeTimeEntry, toBatches, toQueuedActivity, type Activity, type ActivityBatch } from "./activityLog";
import { classifyError } from "./classifyError";
import {
  acknowledge,
  blockWrite,
  enqueue,
  firstSendable,
  isAlreadySaved,
  markSent,
  matchesServer,
  rebaseOnSaved,
  rebaseQueue,
  totalActiveMs,
  unblock,
  type NewWrite,
} from "./outbox";
import { sendActivity, sendWrite } from "./sendWrite";
import { SessionCheck } from "./sessionCheck";
import type { OfflineStore } from "./store";
import { SYNC_TIMING, type SyncTiming } from "./syncTiming";
import { withAccountLock, type TabMessage } from "./tabChannel";
import type { BlockReason, QueuedWrite } from "./types";

/** After this many failures in a row the server is at fault, not the request. */
const MAX_CONSECUTIVE_FAILURES = 3;

export class SyncEngine {
  readonly #pageId = uuid();
  readonly #queue: AccountQueue;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pausedTimer: ReturnType<typeof setTimeout> | undefined;
  #waitingSince: number | null = null;
  #failures = 0;
  #running: Promise<void> | null = null;
  #runAgain = false;
  #stopped = false;
  readonly #sessionCheck: SessionCheck;
  readonly #retriedAfterForbidden = new Set<Id>();
  /** Withdrawn by a conflict of interest that the server has: it has no log any more. */
  readonly #withdrawn = new Set<Id>();

  constructor(
    readonly account: Id,
    store: OfflineStore,
    private readonly timing: SyncTiming = SYNC_TIMING,
  ) {
    this.#sessionCheck = new SessionCheck(account, timing.requestTimeoutMs);
    this.#queue = new AccountQueue(account, store, (message) => void this.#handleTabMessage(message));
  }

  get state(): SyncState {
    return this.#queue.state;
  }

  subscribe = (listener: () => void): (() => void) => this.#queue.subscribe(listener);

  onMessage(listener: (message: TabMessage) => void): () => void {
    return this.#queue.onMessage(listener);
  }

  /** Writes that were rejected for reasons that may have passed are tried again by every new page. */
  async start(): Promise<void> {
    await this.#queue.read();
    await this.#unblockAll(["forbidden", "closed", "paused"]);
    if (this.hasUnsent) await this.sendNow();
    else await this.#sessionCheck.verify(); // a closing page has no time for it
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#pausedTimer);
    this.#queue.close();
  }

  get hasUnsent(): boolean {
    return this.state.queue.length > 0 || this.state.activity.length > 0;
  }

  /** Resolves when the change is stored on this device. */
  async enqueue(incoming: Omit<NewWrite, "account" | "pageId">): Promise<void> {
    const write = { ...incoming, account: this.account, pageId: this.#pageId };
    await this.#queue.update(incoming.resource, ({ queue, serverResponse }) => ({
      queue: enqueue(queue, queue.length ? write : rebaseOnSaved(write, serverResponse)),
      serverResponse,
    }));
    this.#schedule(incoming.write.action === "save" ? this.timing.debounceMs : 0);
  }

  /** Activity changes no answer and needs no version. */
  async recordActivity(activity: Activity): Promise<void> {
    if (!activity.entries.length || this.#withdrawn.has(activity.resource)) return;
    await this.#queue.appendActivity(activity.resource, toQueuedActivity(this.account, activity));
    this.#schedule(this.timing.debounceMs);
  }

  /**
   * The same from a page that may be closing: its request outlives the page, and is made before
   * anything is awaited. The stored copy has the same entry ids, so that it is recorded once.
   */
  async recordFinalActivity(activity: Activity): Promise<void> {
    if (this.#withdrawn.has(activity.resource)) return;
    const queued = toQueuedActivity(this.account, activity);
    const batches = toBatches(queued);
    if (!this.#canSend || !this.#sessionCheck.isUnchanged || batches.length !== 1) return this.recordActivity(activity);
    // Whoever sends it again handles the error.
    const requests = batches.map((batch) => sendActivity(batch, this.timing.requestTimeoutMs).then(() => true, () => false));
    await this.#queue.appendActivity(activity.resource, queued);
    const [isRecorded] = await Promise.all(requests);
    if (isRecorded) await this.#removeActivity(activity);
    else this.#schedule(0);
  }

  /** Try at once: the network is back, the page is closing, or the user requested it. */
  sendNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waitingSince = null;
    if (this.#stopped) return Promise.resolve();
    if (this.#running) {
      this.#runAgain = true;
      return this.#running;
    }
    this.#running = this.#run();
    return this.#running;
  }

  /** Someone may have signed in or out since: verify it before anything is sent. */
  invalidateSession(): void {
    this.#sessionCheck.invalidate();
  }

  /** The session is not this account's now; everything waits until it is again. */
  pause(phase: "signed_out" | "other_account"): false {
    this.invalidateSession();
    clearTimeout(this.#timer);
    this.#queue.setState({ phase, retryAt: null });
    return false;
  }

  /** The device reports that it has no network: nothing is tried until it has. */
  setOffline(): void {
    if (this.state.phase !== "signed_out" && this.state.phase !== "other_account") this.#queue.setState({ phase: "offline" });
  }

  async keepLocalAnswer(resource: Id): Promise<void> {
    await this.#queue.updateQueue(resource, (queue) => {
      const reason = queue[0]?.blocked;
      return reason?.kind === "conflict" ? rebaseQueue(queue, reason.current.version) : queue;
    });
    await this.sendNow();
  }

  /** Drops the local answer for the saved one; the time spent on it is still reported. */
  async acceptServerAnswer(resource: Id, current: Response): Promise<void> {
    const saved = { account: this.account, resource, response: current, pageId: this.#pageId };
    let dropped: QueuedWrite[] = [];
    await this.#queue.saveServerResponse(saved, (queue) => {
      dropped = queue;
      return [];
    });
    await this.#reportTime(dropped);
    await this.sendNow();
    // What the page shows now is what the server has.
    this.#queue.setState({ savedAt: Date.now() });
  }

  /** Of a study that the user has left: the server accepts nothing more. */
  async discard(resources: Id[]): Promise<void> {
    for (const resource of new Set(resources)) await this.#queue.updateQueue(resource, () => []);
  }

  async retry(resource: Id): Promise<void> {
    await this.#queue.updateQueue(resource, (queue) => unblock(queue, ["forbidden", "closed", "paused", "refused"]));
    await this.sendNow();
  }

  async #run(): Promise<void> {
    try {
      do {
        this.#runAgain = false;
        await withAccountLock(this.account, () => this.#sendAll());
      } while (this.#runAgain && !this.#stopped);
    } finally {
      // In the same step as the last look at `#runAgain`: what is requested later starts a new run.
      this.#running = null;
    }
  }

  async #sendAll(): Promise<void> {
    await this.#queue.read();
    const failed = new Set<Id>();
    let next = firstSendable(this.state.queue);
    while (next && !this.#stopped && failed.size < MAX_CONSECUTIVE_FAILURES) {
      if (!(await this.#verifySession()) || !(await this.#send(next, failed))) return;
      next = firstSendable(this.state.queue, failed);
    }
    if (!(await this.#sendActivity(failed))) return;
    if (failed.size) this.#scheduleRetry();
    else if (!this.#isWaiting) this.#queue.setState({ phase: "idle", retryAt: null });
    this.#retryPaused();
  }

  async #unblockAll(kinds: BlockReason["kind"][]): Promise<void> {
    const blocked = this.state.queue.filter((item) => item.blocked).map((item) => item.resource);
    for (const resource of new Set(blocked)) await this.#queue.updateQueue(resource, (queue) => unblock(queue, kinds));
  }

  /** Nothing announces that a study is open again: what a pause refused is tried now and then. */
  #retryPaused(): void {
    clearTimeout(this.#pausedTimer);
    if (this.#stopped || !this.state.queue.some(({ blocked }) => blocked?.kind === "paused")) return;
    this.#pausedTimer = setTimeout(() => void this.#unblockAll(["paused"]).then(() => this.sendNow()), this.timing.pausedRetryMs);
  }

  /** False when sending has to stop for now. */
  async #send(item: QueuedWrite, failed: Set<Id>): Promise<boolean> {
    const queue = await this.#queue.updateQueue(item.resource, (all) => markSent(all, item));
    const claimed = queue[0];
    // Another tab sent or changed it in the meantime: read the queue again.
    if (claimed?.id !== item.id || claimed.idempotencyKey !== item.idempotencyKey) return true;
    if (!this.#sessionCheck.isVerified) return true;
    if (this.#stopped) return false; // the next page repeats it under the same key
    this.#queue.setState({ phase: "sending", retryAt: null });
    try {
      await this.#handleAcknowledged(claimed, await sendWrite(claimed, this.timing.requestTimeoutMs));
      return true;
    } catch (error) {
      return this.#handleError(claimed, error, failed);
    }
  }

  /** What this removed from the queue: nothing where another tab, or a reload, was earlier. */
  async #handleAcknowledged(item: QueuedWrite, response: Response): Promise<QueuedWrite[]> {
    const { account } = this;
    this.#failures = 0;
    this.#retriedAfterForbidden.delete(item.id);
    if (item.write.conflict) this.#withdrawn.add(item.resource);
    const saved = { account, resource: item.resource, response, pageId: item.pageId };
    let removed: QueuedWrite[] = [];
    await this.#queue.saveServerResponse(saved, (queue) => {
      const remaining = acknowledge(queue, item, response.version);
      removed = queue.filter(({ id }) => !remaining.some((one) => one.id === id));
      return remaining;
    });
    this.#queue.setState({ savedAt: Date.now() });
    return removed;
  }

  async #handleError(item: QueuedWrite, error: unknown, failed: Set<Id>): Promise<boolean> {
    const result = classifyError(error);
    if (result.kind === "unavailable") return this.#scheduleRetry(error);
    if (result.kind === "signed_out") return this.pause("signed_out");
    if (result.kind === "conflict") return this.#handleConflict(item, result.current);
    if (result.kind === "rejected") return this.#block(item, result.reason);
    if (result.kind === "forbidden") {
      const next = await this.#afterForbidden(item.id);
      return next === "give_up" ? this.#block(item, { kind: "forbidden", message: (error as Error).message }) : next === "retry";
    }
    failed.add(item.id);
    return true;
  }

  /** Another account may be signed in, or this one may have lost access: verify, then try once more. */
  async #afterForbidden(id: Id): Promise<"stop" | "retry" | "give_up"> {
    this.invalidateSession();
    if (!(await this.#verifySession())) return "stop";
    if (this.#retriedAfterForbidden.delete(id)) return "give_up";
    this.#retriedAfterForbidden.add(id);
    return "retry";
  }

  async #handleConflict(item: QueuedWrite, current: Response): Promise<boolean> {
    if (isAlreadySaved(item, current)) {
      // The server looks up the key before the version: it never applied this write, nor counted its time.
      await this.#reportTime(await this.#handleAcknowledged(item, current));
      return true;
    }
    if (!matchesServer(item, current)) return this.#block(item, { kind: "conflict", current });
    await this.#queue.updateQueue(item.resource, (queue) =>
      queue[0]?.idempotencyKey === item.idempotencyKey ? rebaseQueue(queue, current.version) : queue,
    );
    return true;
  }

  async #block(item: QueuedWrite, reason: BlockReason): Promise<boolean> {
    await this.#queue.updateQueue(item.resource, (queue) => blockWrite(queue, item, reason));
    return true;
  }

  /** The time of writes that are dropped. */
  async #reportTime(dropped: QueuedWrite[]): Promise<void> {
    const [first] = dropped;
    const activeMs = totalActiveMs(dropped);
    if (!first || activeMs === 0) return;
    const activity = { resource: first.resource, interface: first.interface, entries: [activeTimeEntry(uuid(), activeMs)] };
    await this.#queue.appendActivity(first.resource, toQueuedActivity(this.account, activity));
  }

  /** False when sending has to stop for now. */
  async #sendActivity(failed: Set<Id>): Promise<boolean> {
    for (const batch of toBatches(this.state.activity)) {
      if (this.#stopped || failed.size >= MAX_CONSECUTIVE_FAILURES) return true;
      if (this.#withdrawn.has(batch.resource)) {
        await this.#removeActivity(batch);
        continue;
      }
      if (!(await this.#verifySession())) return false;
      try {
        await sendActivity(batch, this.timing.requestTimeoutMs);
      } catch (error) {
        const next = await this.#handleActivityError(batch, error);
        if (next === "stop") return false;
        if (next === "retry") failed.add(batch.resource);
        if (next !== "drop") continue;
      }
      this.#failures = 0;
      await this.#removeActivity(batch);
    }
    return true;
  }

  /** Activity that the server rejects is no answer: it is dropped, and nothing has to be decided. */
  async #handleActivityError(batch: ActivityBatch, error: unknown): Promise<"stop" | "retry" | "drop"> {
    const { kind } = classifyError(error);
    if (kind === "server_error") return "retry";
    if (kind === "unavailable" || kind === "signed_out") {
      if (kind === "unavailable") this.#scheduleRetry(error);
      else this.pause("signed_out");
      return "stop";
    }
    if (kind !== "forbidden") return "drop";
    const next = await this.#afterForbidden(batch.entries[0]?.id ?? batch.resource);
    return next === "give_up" ? "drop" : next;
  }

  async #removeActivity({ resource, entries }: ActivityBatch): Promise<void> {
    await this.#queue.removeActivity(resource, entries.map(({ id }) => id));
  }

  async #verifySession(): Promise<boolean> {
    const owner = await this.#sessionCheck.verify();
    if (owner === "same_user") return true;
    return owner === "unknown" ? this.#scheduleRetry(this.#sessionCheck.lastError) : this.pause(owner);
  }

  /** Whether anything could be sent now. */
  get #isWaiting(): boolean {
    return firstSendable(this.state.queue) !== null || this.state.activity.length > 0;
  }

  get #canSend(): boolean {
    const { phase } = this.state;
    return !this.#stopped && phase !== "signed_out" && phase !== "other_account" && phase !== "offline";
  }

  /** After the server's `Retry-After`, where it has one. */
  #scheduleRetry(error?: unknown): false {
    this.#failures += 1;
    // What waits for long must not be removed when the disk fills.
    if (this.#failures === 1) void navigator.storage?.persist?.();
    const retryAfterMs = (error instanceof Problem && error.retryAfterMs) || 0;
    const delay = Math.max(this.timing.backoff(this.#failures), retryAfterMs);
    const phase = navigator.onLine ? "retrying" : "offline";
    this.#queue.setState({ phase, retryAt: Date.now() + delay });
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(() => void this.sendNow(), delay);
    return false;
  }

  #schedule(delay: number): void {
    const { phase, retryAt } = this.state;
    if (phase === "signed_out" || phase === "other_account" || this.#stopped) return;
    if (retryAt !== null && this.#failures > 0) return;
    if (phase === "idle") this.#queue.setState({ phase: "waiting" });
    this.#waitingSince ??= Date.now();
    const left = this.timing.maxDelayMs - (Date.now() - this.#waitingSince);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.sendNow(), Math.max(0, Math.min(delay, left)));
  }

  /** Another tab queued or sent something; should it have closed since, this tab continues. */
  async #handleTabMessage(message: TabMessage): Promise<void> {
    if (this.#stopped) return;
    this.#queue.emit(message);
    await this.#queue.read();
    if (message.response) this.#queue.setState({ savedAt: Date.now() });
    if (this.#isWaiting && this.state.phase === "idle") this.#schedule(this.timing.otherTabGraceMs);
    if (!this.#isWaiting && this.state.phase === "waiting") this.#queue.setState({ phase: "idle" });
    this.#retryPaused();
  }
}
