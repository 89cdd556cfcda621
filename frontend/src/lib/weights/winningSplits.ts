/** Which split wins for which weights: for one choice of weights, and for all of them as a map. */
import { TRIANGLE_HEIGHT, SCORE_PARTS, pointOf, cornerOf, type Point, type ScorePart, type Weights } from "./simplex";

/** The parts of every split, in the order in which the first of equals wins. */
export type Splits = Record<ScorePart, number[]> & { gain: number };

export interface Region {
  split: number;
  /** Corners of a convex polygon in the triangle of pointOf. */
  corners: Point[];
  /** Of the triangle's area, 0 to 1. */
  share: number;
  middle: Point;
}

/** Written out: it runs for thousands of splits at every move of a slider. */
export function splitTotal(splits: Splits, at: number, weights: Weights): number {
  const [r, n, s] = [splits.relevance[at] as number, splits.novelty[at] as number, splits.surprise[at] as number];
  return weights.relevance * r + weights.novelty * n + weights.surprise * s;
}

/** The split that these weights choose; totals within the gain of the best are equal. */
export function winningSplit(splits: Splits, weights: Weights): number {
  const count = splits.relevance.length;
  let best = -Infinity;
  for (let at = 0; at < count; at += 1) best = Math.max(best, splitTotal(splits, at, weights));
  for (let at = 0; at < count; at += 1) if (splitTotal(splits, at, weights) >= best - splits.gain) return at;
  return -1;
}

/** How many splits are as good as the best for these weights, itself among them. */
export function countTied(splits: Splits, weights: Weights): number {
  const totals = splits.relevance.map((_, at) => splitTotal(splits, at, weights));
  const best = Math.max(...totals);
  return totals.filter((total) => total >= best - splits.gain).length;
}

const TRIANGLE: Point[] = SCORE_PARTS.map((part) => pointOf(cornerOf(part)));
const TRIANGLE_AREA = TRIANGLE_HEIGHT / 2;
/** Less than this of the triangle is a line or a point, not a region. */
const MIN_REGION_AREA = 1e-9;
const GRID_STEPS = 24;

/**
 * Every split's region, exactly: totals are linear in the weights, so each region is the triangle
 * cut by one straight line for each other split. Winners on a grid cut first: they leave nothing
 * of almost all others.
 */
export function winningRegions(splits: Splits): Region[] {
  const corners = splits.relevance.map((_, at) => SCORE_PARTS.map((part) => splits[part][at] as number));
  const strong = [...winnersOnGrid(splits)];
  const regions: Region[] = [];
  for (let at = 0; at < corners.length; at += 1) {
    const rough = clipByLead(TRIANGLE, at, strong, corners, splits.gain);
    const exact = rough && clipByLead(rough, at, corners.keys(), corners, splits.gain);
    if (exact) regions.push(toRegion(at, exact));
  }
  return regions.toSorted((a, b) => b.share - a.share || a.split - b.split);
}

function winnersOnGrid(splits: Splits): Set<number> {
  const winners = new Set<number>();
  for (let r = 0; r <= GRID_STEPS; r += 1) {
    for (let n = 0; n + r <= GRID_STEPS; n += 1) {
      winners.add(winningSplit(splits, { relevance: r / GRID_STEPS, novelty: n / GRID_STEPS, surprise: (GRID_STEPS - r - n) / GRID_STEPS }));
    }
  }
  return winners;
}

/** What of a polygon is left to one split beside others; null for nothing. */
function clipByLead(polygon: Point[], own: number, others: Iterable<number>, corners: number[][], gain: number): Point[] | null {
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
    left = clipPolygon(left, lead);
    if (left.length < 3 || polygonArea(left) < MIN_REGION_AREA * TRIANGLE_AREA) return null;
  }
  return left;
}

/** The part of a convex polygon where a linear function of the weights is not negative. */
function clipPolygon(polygon: Point[], [r = 0, n = 0, s = 0]: number[]): Point[] {
  const leads = polygon.map(({ x, y }) => {
    const surprise = 1 - y / TRIANGLE_HEIGHT;
    const novelty = x - surprise / 2;
    return r * (1 - novelty - surprise) + n * novelty + s * surprise;
  });
  return polygon.flatMap((point, at) => {
    const next = (at + 1) % polygon.length;
    const [here, there] = [leads[at] as number, leads[next] as number];
    const inside = here >= 0 ? [point] : [];
    return here * there < 0 ? [...inside, intersection(point, polygon[next] as Point, here / (here - there))] : inside;
  });
}

function intersection(one: Point, other: Point, share: number): Point {
  return { x: one.x + share * (other.x - one.x), y: one.y + share * (other.y - one.y) };
}

function hasCrossing(polygon: Point[]): { point: Point; next: Point; cross: number }[] {
  return polygon.map((point, at) => {
    const next = polygon[(at + 1) % polygon.length] as Point;
    return { point, next, cross: point.x * next.y - next.x * point.y };
  });
}

function polygonArea(polygon: Point[]): number {
  return Math.abs(hasCrossing(polygon).reduce((sum, { cross }) => sum + cross, 0)) / 2;
}

function toRegion(split: number, corners: Point[]): Region {
  const sides = hasCrossing(corners);
  const twice = sides.reduce((sum, { cross }) => sum + cross, 0);
  const mean = (axis: "x" | "y") =>
    sides.reduce((sum, { point, next, cross }) => sum + (point[axis] + next[axis]) * cross, 0) / (3 * twice);
  return { split, corners, share: Math.abs(twice) / 2 / TRIANGLE_AREA, middle: { x: mean("x"), y: mean("y") } };
}
