import type { ActivityEntry, Id, Json, Payload, Response, ResponseAction } from "@/api/contract";
import type { AnswerStep, AnswerUpdate, StudyKind } from "@/domains/studies/studyKind";
import type { ActiveTimer } from "@/lib/activeTime";
import type { SyncEngine } from "@/lib/offline";
import { uuid } from "@/lib/uuid";

/** A question that was on the screen for less was passed, not viewed. */
const MIN_VIEW_MS = 1000;
/** A step that is continued, as a comment is typed, is recorded once it rests for so long. */
const CONTINUED_STEP_MS = 1000;

/** What the page knows of the server, anew with every rendering. */
interface ServerResponse {
  /** The server's version that changes are based on. */
  version: number;
  response: Response;
  /** Nothing is written to a closed study, not even that it was viewed. */
  isClosed: boolean;
}

interface RecorderContext {
  assignment: Id;
  batch: Id;
  kind: StudyKind;
  engine: SyncEngine;
  timer: ActiveTimer;
  /** The version of the guidelines that the page shows, 0 without any. */
  guidelines: number;
}

/** Records one question while it is open: changes go to the outbox, activity to its log. */
export class ResponseRecorder {
  readonly start: Response;
  #latest: Payload;
  #entries: ActivityEntry[] = [];
  #continued: ActivityEntry | null = null;
  #continuedTimer: ReturnType<typeof setTimeout> | undefined;
  #pendingWrites = 0;
  #isReopened: boolean;
  #isFinished = false;

  constructor(
    private readonly context: RecorderContext,
    private server: ServerResponse,
  ) {
    this.start = server.response;
    this.#latest = server.response.payload;
    this.#isReopened = this.start.submitted === null || this.start.status === "draft";
  }

  get latest(): Payload {
    return this.#latest;
  }

  setServerResponse(server: ServerResponse): void {
    this.server = { ...server, version: Math.max(this.server.version, server.version) };
  }

  /** Whether the page shows this answer, or has a newer one on its way to the store. */
  isUpToDateWith(other: Payload): boolean {
    return this.#pendingWrites > 0 || this.context.kind.isSame(this.#latest, other);
  }

  recordOpened(): void {
    const { timer } = this.context;
    timer.takeElapsedMs();
    if (document.visibilityState !== "hidden") timer.recordInput();
    this.recordStep({ kind: "opened", old: null, new: null });
  }

  recordStep({ kind, old, new: next }: AnswerStep): void {
    this.#endContinued();
    this.#entries.push(toEntry(kind, old, next));
  }

  change(update: AnswerUpdate, step: AnswerStep): Payload {
    if (this.#isFinished) return this.#latest;
    const isContinuation = step.isContinued && this.#continued?.kind === step.kind;
    if (!this.#isReopened) this.recordStep({ kind: "reopened", old: resultOf(this.start), new: "draft" });
    this.#isReopened = true;
    this.#latest = update(this.#latest);
    if (step.isContinued) this.#continueStep(step);
    else this.recordStep(step);
    void this.#write("save", "", isContinuation ? 0 : 1);
    return this.#latest;
  }

  /** Its question is answered, skipped or left as it is: what is pressed now changes nothing of it. */
  finish(): void {
    this.#isFinished = true;
  }

  submit(outcome: string, step: string, update: AnswerUpdate = (answer) => answer): Promise<void> {
    const { kind } = this.context;
    this.#latest = kind.forSubmission(update(this.#latest), outcome);
    this.recordStep({ kind: step, old: resultOf(this.start), new: kind.submissionDetail(this.#latest) });
    return this.#write(outcome === "skipped" ? "skip" : "submit", outcome === "skipped" ? "" : outcome, 1);
  }

  /** Skips the question for good, for this conflict of interest. */
  declareConflict(reason: string): Promise<void> {
    this.recordStep({ kind: "skipped", old: resultOf(this.start), new: null });
    return this.#write("skip", "", 1, reason);
  }

  /** Viewing is recorded too, without making an answer of it. */
  flushActivity(): void {
    if (!this.server.isClosed) void this.context.engine.recordActivity(this.#activity());
  }

  /** The question, or the page, which may never be seen again, is left. */
  flushOnLeave(isClosing: boolean): void {
    if (this.server.isClosed || !this.#hasActivity()) return;
    const { engine } = this.context;
    void (isClosing ? engine.recordFinalActivity(this.#activity()) : engine.recordActivity(this.#activity()));
  }

  #continueStep({ kind, old, new: next }: AnswerStep): void {
    if (this.#continued?.kind !== kind) this.#endContinued();
    this.#continued = { ...(this.#continued ?? toEntry(kind, old, next)), new: next, at: new Date().toISOString() };
    clearTimeout(this.#continuedTimer);
    this.#continuedTimer = setTimeout(() => this.#flushEntries(), CONTINUED_STEP_MS);
  }

  #endContinued(): void {
    clearTimeout(this.#continuedTimer);
    if (this.#continued) this.#entries.push(this.#continued);
    this.#continued = null;
  }

  #hasActivity(): boolean {
    const { timer } = this.context;
    const elapsed = timer.takeElapsedMs();
    timer.returnElapsedMs(elapsed);
    return elapsed >= MIN_VIEW_MS || this.#continued !== null || this.#entries.some(({ kind }) => kind !== "opened");
  }

  /** All entries, the last of them with the time since the last report. */
  #activity() {
    const activeMs = this.context.timer.takeElapsedMs();
    const entries = this.#takeEntries();
    const last = entries.at(-1) ?? toEntry("active", null, null);
    return { ...this.#target(), entries: [...entries.slice(0, -1), { ...last, active_ms: activeMs }] };
  }

  #flushEntries(): void {
    void this.context.engine.recordActivity({ ...this.#target(), entries: this.#takeEntries() });
  }

  #takeEntries(): ActivityEntry[] {
    this.#endContinued();
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  /** The time goes with the write; the steps go to the activity log. */
  async #write(action: ResponseAction, outcome: string, changes: number, conflict = ""): Promise<void> {
    if (this.server.isClosed) return;
    const { engine, batch, kind, timer, guidelines } = this.context;
    const { version } = this.server;
    const content = { version, action, outcome, payload: this.#latest, active_ms: timer.takeElapsedMs(), guidelines };
    const write = conflict ? { ...content, conflict } : content;
    this.#pendingWrites += 1;
    try {
      const envelope = { id: uuid(), queuedAt: new Date().toISOString(), batch, kind: kind.name, changes, ...this.#target() };
      const isStored = engine.enqueue({ ...envelope, write });
      if (!this.#continued) this.#flushEntries();
      await isStored;
    } finally {
      this.#pendingWrites -= 1;
    }
  }

  #target() {
    return { resource: this.context.assignment, interface: this.context.kind.interface };
  }
}

const resultOf = ({ status, outcome }: Response) => outcome || status;

function toEntry(kind: string, old: Json, next: Json): ActivityEntry {
  return { id: uuid(), kind, at: new Date().toISOString(), active_ms: 0, old, new: next };
}
