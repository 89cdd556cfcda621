import { backoffMs } from "./backoff";

export interface Timing {
  quietMs: number;
  /** Typing without a pause is sent all the same; it is kept on the device at every letter. */
  atMostMs: number;
  /** How long another tab may take with what it queued before this one tries. */
  othersMs: number;
  answerMs: number;
  backoff: (failures: number) => number;
}

export const TIMING: Timing = { quietMs: 300, atMostMs: 2000, othersMs: 1500, answerMs: 20_000, backoff: backoffMs };
