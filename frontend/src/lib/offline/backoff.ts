/** 1–2 s, 2–4 s, 4–8 s … 15–30 s: by chance within each, so that pages do not march in step. */
export function backoffMs(failures: number, chance: number = Math.random()): number {
  const least = Math.min(15_000, 1000 * 2 ** Math.max(0, failures - 1));
  return Math.round(least * (1 + chance));
}
