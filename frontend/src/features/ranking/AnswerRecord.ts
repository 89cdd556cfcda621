import type { Action, EventKind, Id, Json, Response, ResponseEvent } from "@/api/contract";
import type { ActiveClock } from "@/lib/clock";
import { type Answer, sameAnswer, type SyncEngine } from "@/lib/offline";
import { uuid } from "@/lib/uuid";

export const INTERFACE = "rank-1";

/** A question that was on the screen for less was passed, not looked at. */
const GLANCE_MS = 1000;

/** What the page knows of the server, anew with every rendering. */
export interface Known {
  /** The server's version that her changes start from. */
  version: number;
  shown: Response;
  /** Nothing is written to a closed study, not even that it was looked at. */
  isClosed: boolean;
}

export interface Desk {
  assignment: Id;
  batch: Id;
  engine: SyncEngine;
  active: ActiveClock;
}

export function answerOf({ ranking, confidence, reasons, comment, unsure_reason }: Response): Answer {
  return { ranking, confidence, reasons, comment, unsure_reason };
}

/** What she does with one question while it is open, and what of it was not written yet. */
export class AnswerRecord {
  readonly start: Response;
  #latest: Answer;
  #events: ResponseEvent[] = [];
  #adding = 0;
  #isReopened: boolean;

  constructor(
    private readonly desk: Desk,
    private known: Known,
  ) {
    this.start = known.shown;
    this.#latest = answerOf(known.shown);
    this.#isReopened = this.start.submitted === null || this.start.state === "draft";
  }

  get latest(): Answer {
    return this.#latest;
  }

  know(known: Known): void {
    this.known = { ...known, version: Math.max(this.known.version, known.version) };
  }

  /** Whether what was heard of is what stands here. */
  isFollowing(other: Answer): boolean {
    return this.#adding > 0 || sameAnswer(this.#latest, other);
  }

  /** The question appears. */
  open(): void {
    const { active } = this.desk;
    active.take();
    if (document.visibilityState !== "hidden") active.input();
    this.note("opened", null, null);
  }

  note(kind: EventKind, old: Json, next: Json): void {
    this.#events.push({ id: uuid(), kind, old, new: next, at: new Date().toISOString() });
  }

  change(part: Partial<Answer>, kind: EventKind, old: Json, next: Json): Answer {
    if (!this.#isReopened) this.note("reopened", this.start.state, "draft");
    this.#isReopened = true;
    this.#latest = { ...this.#latest, ...part };
    this.note(kind, old, next);
    void this.#write("save");
    return this.#latest;
  }

  finish(action: Exclude<Action, "save">, unsure: Answer["unsure_reason"]): Promise<void> {
    this.#latest = { ...this.#latest, unsure_reason: unsure };
    const kind = { agree: "agreed", submit: "submitted", not_sure: "not_sure", skip: "skipped" } as const;
    this.note(kind[action], this.start.state, { ranking: this.#latest.ranking, unsure_reason: unsure });
    return this.#write(action);
  }

  /** Looking is recorded too, without making an answer of it. */
  look(): void {
    if (this.known.isClosed) return;
    void this.desk.engine.look(this.#looked(), this.known.shown);
  }

  /** She leaves the question, or the page that may never be seen again. */
  leave(isClosing: boolean): void {
    if (this.known.isClosed || !this.#hasLooked()) return;
    const { engine } = this.desk;
    void (isClosing ? engine.lookLast(this.#looked(), this.known.shown) : engine.look(this.#looked(), this.known.shown));
  }

  #hasLooked(): boolean {
    const { active } = this.desk;
    const looked = active.take();
    active.giveBack(looked);
    return looked >= GLANCE_MS || this.#events.some((event) => event.kind !== "opened");
  }

  #looked() {
    const write = this.#taken();
    return { ...this.#place(), write };
  }

  async #write(action: Action): Promise<void> {
    if (this.known.isClosed) return;
    const write = { ...this.#latest, version: this.known.version, action, ...this.#taken() };
    this.#adding += 1;
    try {
      await this.desk.engine.add({ ...this.#place(), write });
    } finally {
      this.#adding -= 1;
    }
  }

  #place() {
    const { assignment, batch } = this.desk;
    return { id: uuid(), assignment, batch, queuedAt: new Date().toISOString() };
  }

  /** Each event and each millisecond goes once. */
  #taken() {
    const events = this.#events;
    this.#events = [];
    return { active_ms: this.desk.active.take(), events, interface: INTERFACE };
  }
}
