/** Where the words of an edge stand: on its line, beside every name and all other words. */
import type { Point } from "./picture";

export interface Box {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface EdgeLine {
  from: Point;
  to: Point;
  /** Of the words, in the units of the points. */
  width: number;
}

/** A larger bundle has its words once. */
const MAX_LABELLED_BUNDLE = 4;
const HALF_HEIGHT = 9;
const SAMPLES = 13;
/** Shares of the way from the first end, the middle first. */
const SHARES = [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7];

const ARROW_PX = 8;

/** Around the head of an arrow, at the rim of the node that it points to. */
export function arrowBox({ from, to }: Pick<EdgeLine, "from" | "to">, nodeSize: number): Box {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const back = (nodeSize + ARROW_PX) / 2 / length;
  const [x, y] = [to.x + back * (from.x - to.x), to.y + back * (from.y - to.y)];
  return { x1: x - ARROW_PX / 2, y1: y - ARROW_PX / 2, x2: x + ARROW_PX / 2, y2: y + ARROW_PX / 2 };
}

/** Of bundles of edges with the same words: which get words, in this order. One of each first, then the others of small ones. */
export function labelGroups<T>(bundles: T[][]): T[][] {
  const others = bundles.filter((bundle) => bundle.length <= MAX_LABELLED_BUNDLE).flatMap((bundle) => bundle.map((edge) => [edge]));
  return [...bundles, ...others];
}

/** The share of the way at which the words are free, with what they cover there; null where nothing is. */
export function placeWords(line: EdgeLine, names: Box[], words: Point[]): { share: number; covered: Point[] } | null {
  for (const share of SHARES) {
    const covered = coveredPoints(line, share);
    if (covered.every((point) => isFree(point, names, words))) return { share, covered };
  }
  return null;
}

/** Points along both edges and the middle of the words, which follow the line. */
function coveredPoints({ from, to, width }: EdgeLine, share: number): Point[] {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const centre = { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
  const points: Point[] = [];
  for (let at = 0; at < SAMPLES; at += 1) {
    const way = (at / (SAMPLES - 1) - 0.5) * width;
    for (const aside of [-HALF_HEIGHT, 0, HALF_HEIGHT]) {
      points.push({ x: centre.x + way * along.x - aside * along.y, y: centre.y + way * along.y + aside * along.x });
    }
  }
  return points;
}

function isFree(point: Point, names: Box[], words: Point[]): boolean {
  const isOnName = names.some(({ x1, y1, x2, y2 }) => point.x >= x1 && point.x <= x2 && point.y >= y1 && point.y <= y2);
  return !isOnName && !words.some(({ x, y }) => Math.hypot(point.x - x, point.y - y) < HALF_HEIGHT);
}
