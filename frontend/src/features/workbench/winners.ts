/** Which split wins for which weights: for one choice of weights, and for all of them as a map. */
import { HEIGHT, PARTS, pointOf, cornerOf, type Point, type Weights } from "./simplex";

/** The parts of every split, in the order in which the first of equals wins. */
export interface Splits {
  relevance: number[];
  novelty: number[];
  surprise: number[];
  gain: number;
}

export interface Region {
  split: number;
  /** Corners of a convex polygon in the triangle of pointOf. */
  corners: Point[];
  /** Of the triangle's area, 0 to 1. */
  share: number;
  middle: Point;
}

/** Written out: it is asked for thousands of splits at every move of a hand. */
export function totalOf(splits: Splits, at: number, weights: Weights): number {
  const [r, n, s] = [splits.relevance[at] as number, splits.novelty[at] as number, splits.surprise[at] as number];
  return weights.relevance * r + weights.novelty * n + weights.surprise * s;
}

/** The split that these weights choose; totals within the gain of the best are equal. */
export function winnerAt(splits: Splits, weights: Weights): number {
  const count = splits.relevance.length;
  let best = -Infinity;
  for (let at = 0; at < count; at += 1) best = Math.max(best, totalOf(splits, at, weights));
  for (let at = 0; at < count; at += 1) if (totalOf(splits, at, weights) >= best - splits.gain) return at;
  return -1;
}

/** How many splits are as good as the best for these weights, itself among them. */
export function tiedAt(splits: Splits, weights: Weights): number {
  const totals = splits.relevance.map((_, at) => totalOf(splits, at, weights));
  const best = Math.max(...totals);
  return totals.filter((total) => total >= best - splits.gain).length;
}

const TRIANGLE: Point[] = PARTS.map((part) => pointOf(cornerOf(part)));
const AREA = HEIGHT / 2;
/** Less than this of the triangle is a line or a point, not a region. */
const NOTHING = 1e-9;
const GRID = 24;

/**
 * Every split's region, exactly: totals are linear in the weights, so each region is the triangle
 * cut by one straight line for each other split. Winners on a grid cut first: they leave nothing
 * of almost all others.
 */
export function regionsOf(splits: Splits): Region[] {
  const corners = splits.relevance.map((_, at) => PARTS.map((part) => splits[part][at] as number));
  const strong = [...winnersOnGrid(splits)];
  const regions: Region[] = [];
  for (let at = 0; at < corners.length; at += 1) {
    const rough = cutBy(TRIANGLE, at, strong, corners, splits.gain);
    const exact = rough && cutBy(rough, at, corners.keys(), corners, splits.gain);
    if (exact) regions.push(regionOf(at, exact));
  }
  return regions.toSorted((a, b) => b.share - a.share || a.split - b.split);
}

function winnersOnGrid(splits: Splits): Set<number> {
  const found = new Set<number>();
  for (let r = 0; r <= GRID; r += 1) {
    for (let n = 0; n + r <= GRID; n += 1) {
      found.add(winnerAt(splits, { relevance: r / GRID, novelty: n / GRID, surprise: (GRID - r - n) / GRID }));
    }
  }
  return found;
}

/** What of a polygon is left to one split beside others; null for nothing. */
function cutBy(polygon: Point[], own: number, others: Iterable<number>, corners: number[][], gain: number): Point[] | null {
  let left = polygon;
  for (const other of others) {
    if (other === own) continue;
    const lead = corners[own]?.map((value, at) => value - (corners[other]?.[at] as number)) as number[];
    // Equal everywhere: the first in the list has it all.
    if (lead.every((value) => Math.abs(value) <= gain)) {
      if (other < own) return null;
      continue;
    }
    if (lead.every((value) => value >= 0)) continue;
    left = cut(left, lead);
    if (left.length < 3 || areaOf(left) < NOTHING * AREA) return null;
  }
  return left;
}

/** The part of a convex polygon where a linear function of the weights is not negative. */
function cut(polygon: Point[], [r = 0, n = 0, s = 0]: number[]): Point[] {
  const leads = polygon.map(({ x, y }) => {
    const surprise = 1 - y / HEIGHT;
    const novelty = x - surprise / 2;
    return r * (1 - novelty - surprise) + n * novelty + s * surprise;
  });
  return polygon.flatMap((point, at) => {
    const next = (at + 1) % polygon.length;
    const [here, there] = [leads[at] as number, leads[next] as number];
    const kept = here >= 0 ? [point] : [];
    return here * there < 0 ? [...kept, between(point, polygon[next] as Point, here / (here - there))] : kept;
  });
}

function between(one: Point, other: Point, share: number): Point {
  return { x: one.x + share * (other.x - one.x), y: one.y + share * (other.y - one.y) };
}

function crosses(polygon: Point[]): { point: Point; next: Point; cross: number }[] {
  return polygon.map((point, at) => {
    const next = polygon[(at + 1) % polygon.length] as Point;
    return { point, next, cross: point.x * next.y - next.x * point.y };
  });
}

function areaOf(polygon: Point[]): number {
  return Math.abs(crosses(polygon).reduce((sum, { cross }) => sum + cross, 0)) / 2;
}

function regionOf(split: number, corners: Point[]): Region {
  const sides = crosses(corners);
  const twice = sides.reduce((sum, { cross }) => sum + cross, 0);
  const mean = (axis: "x" | "y") =>
    sides.reduce((sum, { point, next, cross }) => sum + (point[axis] + next[axis]) * cross, 0) / (3 * twice);
  return { split, corners, share: Math.abs(twice) / 2 / AREA, middle: { x: mean("x"), y: mean("y") } };
}
