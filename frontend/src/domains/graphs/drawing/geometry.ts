/** Lines between nodes, and the space that nodes take with their names. */
import type { Box } from "./edgeLabels";
import type { Point } from "./picture";

/** Of a node: its centre and the diameter of its symbol. */
export interface Disc extends Point {
  size: number;
}

export interface Curve {
  /** As SVG writes it. */
  path: string;
  middle: Point;
  /** Corners of the head of the arrow. */
  head: string;
}

export const LINE_PX = 16;
export const NAME_GAP_PX = 4;
/** Of a name, on average. */
export const CHARACTER_WIDTH_PX = 7.4;
const BEND_PX = 40;
const LOOP_PX = 34;
const HEAD_LENGTH_PX = 7;
const HEAD_HALF_PX = 3.5;

/** Of several edges between the same two nodes, how far each stands aside: none does where there is one. */
export function bendOf(index: number, count: number): number {
  return (index - (count - 1) / 2) * BEND_PX;
}

/** From rim to rim; bent, with its control point so far to the right of the way. */
export function curveBetween(from: Disc, to: Disc, bend: number): Curve {
  if (from.x === to.x && from.y === to.y) return loopAt(from, bend);
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const control = {
    x: (from.x + to.x) / 2 - (bend * (to.y - from.y)) / length,
    y: (from.y + to.y) / 2 + (bend * (to.x - from.x)) / length,
  };
  const [start, end] = [rim(from, control), rim(to, control)];
  const way = bend === 0 ? "L" : `Q${text(control)} `;
  const middle = { x: (from.x + 2 * control.x + to.x) / 4, y: (from.y + 2 * control.y + to.y) / 4 };
  return { path: `M${text(start)}${way}${text(end)}`, middle, head: headAt(end, control) };
}

/** An edge of a node with itself: above it. */
function loopAt(node: Disc, bend: number): Curve {
  const reach = LOOP_PX + Math.abs(bend);
  const [left, right] = [{ x: node.x - reach, y: node.y - reach }, { x: node.x + reach, y: node.y - reach }];
  const [start, end] = [rim(node, left), rim(node, right)];
  const path = `M${text(start)}C${text(left)} ${text(right)} ${text(end)}`;
  return { path, middle: { x: node.x, y: node.y - 0.75 * reach }, head: headAt(end, right) };
}

function rim({ x, y, size }: Disc, towards: Point): Point {
  const length = Math.hypot(towards.x - x, towards.y - y) || 1;
  return { x: x + ((size / 2) * (towards.x - x)) / length, y: y + ((size / 2) * (towards.y - y)) / length };
}

function headAt(tip: Point, from: Point): string {
  const length = Math.hypot(tip.x - from.x, tip.y - from.y) || 1;
  const along = { x: (tip.x - from.x) / length, y: (tip.y - from.y) / length };
  const back = { x: tip.x - HEAD_LENGTH_PX * along.x, y: tip.y - HEAD_LENGTH_PX * along.y };
  const corner = (side: number) => ({ x: back.x - side * HEAD_HALF_PX * along.y, y: back.y + side * HEAD_HALF_PX * along.x });
  return [tip, corner(1), corner(-1)].map(text).join(" ");
}

function text({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
}

/** Words along a line are never upside down: degrees between -90 and 90. */
export function readableAngle(from: Point, to: Point): number {
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return angle > 90 ? angle - 180 : angle < -90 ? angle + 180 : angle;
}

/** Of a symbol with its name below. */
export function boxOf({ x, y, size }: Disc, name: string): Box {
  const lines = name.split("\n");
  const half = Math.max(size, CHARACTER_WIDTH_PX * Math.max(...lines.map(({ length }) => length))) / 2;
  return { x1: x - half, x2: x + half, y1: y - size / 2, y2: y + size / 2 + NAME_GAP_PX + LINE_PX * lines.length };
}

/** Around all of them; null around none. */
export function boxAround(boxes: Box[]): Box | null {
  if (boxes.length === 0) return null;
  return {
    x1: Math.min(...boxes.map(({ x1 }) => x1)),
    y1: Math.min(...boxes.map(({ y1 }) => y1)),
    x2: Math.max(...boxes.map(({ x2 }) => x2)),
    y2: Math.max(...boxes.map(({ y2 }) => y2)),
  };
}
