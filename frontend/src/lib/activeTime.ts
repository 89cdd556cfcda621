/**
 * Active time: it runs while the page is visible and stops 60 s after the last input. It is taken
 * in increments, each millisecond once.
 */
export const IDLE_AFTER_MS = 60_000;

export class ActiveTimer {
  #startedAt: number | null = null;
  #lastInputAt = 0;
  #elapsedMs = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A key, a pointer, a scroll; also the moment at which a question appears. */
  recordInput(): void {
    const at = this.now();
    this.#addElapsed(at);
    this.#startedAt = at;
    this.#lastInputAt = at;
  }

  pause(): void {
    this.#addElapsed(this.now());
    this.#startedAt = null;
  }

  /** What was earned since the last time, in whole milliseconds. */
  takeElapsedMs(): number {
    const at = this.now();
    this.#addElapsed(at);
    if (this.#startedAt !== null) this.#startedAt = at;
    const whole = Math.floor(this.#elapsedMs);
    this.#elapsedMs -= whole;
    return whole;
  }

  /** What was taken and not used. */
  returnElapsedMs(ms: number): void {
    this.#elapsedMs += ms;
  }

  #addElapsed(at: number): void {
    if (this.#startedAt === null) return;
    const until = Math.min(at, this.#lastInputAt + IDLE_AFTER_MS);
    this.#elapsedMs += Math.max(0, until - this.#startedAt);
  }
}
