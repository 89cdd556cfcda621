export interface Corner {
  x: number;
  y: number;
}

const MARGIN = 46;
/** Sides lie between these lengths, in units of the longest possible one. */
const SHORTEST = 0.55;

/**
 * The corners of a triangle from the correlations of its sides 01, 02 and 12: the first corner on top, the second left.
 * A side shrinks from 1 at r = 0 and below to SHORTEST at r = 1, so that any three make a triangle. Null if one is missing.
 */
export function triangleCorners(correlations: (number | null)[], width: number, height: number): [Corner, Corner, Corner] | null {
  const sides = correlations.map((r) => (r === null ? null : 1 - (1 - SHORTEST) * Math.max(0, r)));
  const [left, right, base] = sides;
  if (left === null || left === undefined || right === null || right === undefined || base === null || base === undefined) return null;
  // The second corner at 0, the third at `base`; the first where circles around them meet.
  const x = (base * base + left * left - right * right) / (2 * base);
  const y = Math.sqrt(Math.max(0, left * left - x * x));
  const [low, high] = [Math.min(0, x), Math.max(base, x)];
  const scale = Math.min((width - 2 * MARGIN) / (high - low), (height - 2 * MARGIN) / y);
  const shift = (width - scale * (high - low)) / 2 - scale * low;
  const bottom = height / 2 + (scale * y) / 2;
  const place = (u: number, v: number): Corner => ({ x: shift + scale * u, y: bottom - scale * v });
  return [place(x, y), place(0, 0), place(base, 0)];
}
