/** 1–2 s, 2–4 s, 4–8 s … 15–30 s: by chance within each, so that pages do not march in step. */
export function backoffMs(failures: number, chance: number = Math.random()): number {
  const minimumMs = Math.min(15_000, 1000 * 2 ** Math.max(0, failures - 1));
  return Math.round(minimumMs * (1 + chance));
}

export interface SyncTiming {
  debounceMs: number;
  /** Typing without a pause is sent after this time; it is stored on the device at every letter. */
  maxDelayMs: number;
  /** How long another tab may take to send its own changes before this one tries. */
  otherTabGraceMs: number;
  requestTimeoutMs: number;
  /** How often an answer to a paused study is tried again. */
  pausedRetryMs: number;
  backoff: (failures: number) => number;
}

export const SYNC_TIMING: SyncTiming = { debounceMs: 300, maxDelayMs: 2000, otherTabGraceMs: 1500, requestTimeoutMs: 20_000, pausedRetryMs: 30_000, backoff: backoffMs };
