/** 1 s, 2 s, 4 s … 30 s, each shortened by chance by up to half, so that tabs do not march. */
export function backoffMs(failures: number, chance: number = Math.random()): number {
  const full = Math.min(30_000, 1000 * 2 ** Math.max(0, failures - 1));
  return Math.round(Math.max(1000, full * (1 - chance / 2)));
}
