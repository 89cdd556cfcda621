/**
 * Active time: it runs while the page is visible and stops 60 s after the last input. It is taken
 * in increments, each millisecond once.
 */
export const IDLE_MS = 60_000;

export class ActiveClock {
  #from: number | null = null;
  #lastInput = 0;
  #earned = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A key, a pointer, a scroll; also the moment at which a question appears. */
  input(): void {
    const at = this.now();
    this.#credit(at);
    this.#from = at;
    this.#lastInput = at;
  }

  hide(): void {
    this.#credit(this.now());
    this.#from = null;
  }

  /** What was earned since the last time, in whole milliseconds. */
  take(): number {
    const at = this.now();
    this.#credit(at);
    if (this.#from !== null) this.#from = at;
    const whole = Math.floor(this.#earned);
    this.#earned -= whole;
    return whole;
  }

  /** What was taken and not used. */
  giveBack(ms: number): void {
    this.#earned += ms;
  }

  #credit(at: number): void {
    if (this.#from === null) return;
    const until = Math.min(at, this.#lastInput + IDLE_MS);
    this.#earned += Math.max(0, until - this.#from);
  }
}
