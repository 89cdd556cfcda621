/** Points of a chart of scores, and the ticks of its axes. */

export interface ChartPoint {
  id: string;
  name: string;
  /** Cost or parameters. */
  x: number;
  score: number;
  low: number | null;
  high: number | null;
  kind: "evaluated" | "printed" | "simulated";
}

/** Round numbers for an axis between two values, the ends included. */
export function linearTicks(low: number, high: number, count = 5): number[] {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((one) => one >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** Smaller values stand at the left end of a logarithmic axis, larger ones at its right end. */
const AXIS = { least: 1e-6, most: 1e15 };
const MOST_DECADES = 6;

/** Powers of ten around the positive ones of some values; every second one, or fewer, of many. */
export function decadeTicks(values: number[]): number[] {
  const positive = values.filter((value) => value > 0).map((value) => Math.min(Math.max(value, AXIS.least), AXIS.most));
  const [low, high] = positive.length > 0 ? [Math.min(...positive), Math.max(...positive)] : [1, 1];
  const first = Math.floor(Math.log10(low) + 1e-9);
  const last = Math.max(Math.ceil(Math.log10(high) - 1e-9), first + 1);
  const step = Math.ceil((last - first) / MOST_DECADES);
  return Array.from({ length: Math.ceil((last - first) / step) + 1 }, (_, at) => Number(`1e${first + step * at}`));
}
