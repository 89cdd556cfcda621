/** Three weights that are never negative and sum to 1, and their place in a triangle. */

export const SCORE_PARTS = ["relevance", "novelty", "surprise"] as const;
export type ScorePart = (typeof SCORE_PARTS)[number];
export type Weights = Record<ScorePart, number>;
export interface Point {
  x: number;
  y: number;
}

export const EQUAL_WEIGHTS: Weights = { relevance: 1 / 3, novelty: 1 / 3, surprise: 1 / 3 };
/** The finest difference that a hand makes: half a hundredth. */
const WEIGHT_STEP = 200;
const SUM_TOLERANCE = 1e-6;
const ZERO_TOLERANCE = 1e-9;

export function cornerOf(part: ScorePart): Weights {
  return { relevance: 0, novelty: 0, surprise: 0, [part]: 1 };
}

/** Any three numbers, brought onto the simplex; null where nothing is left of them. */
function normalizeWeights({ relevance, novelty, surprise }: Weights): Weights | null {
  const [r, n, s] = [relevance, novelty, surprise].map((value) => Math.max(0, value)) as [number, number, number];
  const sum = r + n + s;
  return Number.isFinite(sum) && sum > 0 ? { relevance: r / sum, novelty: n / sum, surprise: s / sum } : null;
}

/** To whole grains whose sum is exact: what is left over goes to the parts that lost most. */
export function roundWeights(weights: Weights, grain = WEIGHT_STEP): Weights {
  const grains = SCORE_PARTS.map((part) => ({ part, whole: Math.floor(weights[part] * grain), rest: (weights[part] * grain) % 1 }));
  let left = grain - grains.reduce((sum, { whole }) => sum + whole, 0);
  for (const one of grains.toSorted((a, b) => b.rest - a.rest)) {
    if (left <= 0) break;
    one.whole += 1;
    left -= 1;
  }
  return Object.fromEntries(grains.map(({ part, whole }) => [part, whole / grain])) as Weights;
}

/** One weight is set; the other two share the rest as they did, or evenly where both were nothing. */
export function withPart(weights: Weights, part: ScorePart, value: number): Weights {
  const set = Math.min(1, Math.max(0, value));
  const others = SCORE_PARTS.filter((one) => one !== part);
  const before = others.reduce((sum, one) => sum + weights[one], 0);
  const next = { ...weights, [part]: set };
  // What sums leave of nothing is nothing: else the rest would all go to one of two empty weights.
  for (const one of others) next[one] = before > ZERO_TOLERANCE ? ((1 - set) * weights[one]) / before : (1 - set) / 2;
  return next;
}

/** From one part to another, as far as there is any. */
export function shiftWeight(weights: Weights, from: ScorePart, to: ScorePart, step: number): Weights {
  if (from === to) return weights;
  const moved = Math.min(step, weights[from]);
  return { ...weights, [from]: weights[from] - moved, [to]: weights[to] + moved };
}

/** Relevance left below, novelty right below, surprise above: a triangle of side 1. */
export const TRIANGLE_HEIGHT = Math.sqrt(3) / 2;

export function pointOf({ novelty, surprise }: Weights): Point {
  return { x: novelty + surprise / 2, y: TRIANGLE_HEIGHT * (1 - surprise) };
}

/** The weights of a point; of one outside, those of the nearest place inside. */
export function weightsAt({ x, y }: Point): Weights {
  const surprise = 1 - y / TRIANGLE_HEIGHT;
  const novelty = x - surprise / 2;
  return nearestOnSimplex([1 - novelty - surprise, novelty, surprise]);
}

/** The Euclidean projection on the simplex, which in an equilateral triangle is the nearest point. */
function nearestOnSimplex(values: [number, number, number]): Weights {
  const sorted = values.toSorted((a, b) => b - a);
  let sum = 0;
  let shift = 0;
  sorted.forEach((value, at) => {
    sum += value;
    const one = (sum - 1) / (at + 1);
    if (value > one) shift = one;
  });
  const [relevance, novelty, surprise] = values.map((value) => Math.max(0, value - shift)) as [number, number, number];
  return normalizeWeights({ relevance, novelty, surprise }) ?? EQUAL_WEIGHTS;
}

export function isSameWeights(one: Weights, other: Weights): boolean {
  return SCORE_PARTS.every((part) => Math.abs(one[part] - other[part]) < SUM_TOLERANCE);
}

/** As an address carries them: '0.3,0.4,0.3' in the order of the parts. */
export function formatWeights(weights: Weights): string {
  return SCORE_PARTS.map((part) => String(Number(weights[part].toFixed(6)))).join(",");
}

export function parseWeights(text: string | null): Weights | null {
  const values = text?.split(",").map(Number) ?? [];
  if (values.length !== 3 || !values.every((value) => Number.isFinite(value) && value >= 0)) return null;
  const [relevance, novelty, surprise] = values as [number, number, number];
  if (Math.abs(relevance + novelty + surprise - 1) > 1e-4) return null;
  return normalizeWeights({ relevance, novelty, surprise });
}
