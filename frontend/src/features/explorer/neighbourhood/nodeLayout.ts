/** Where everything stands: the first picture in sectors, and what is added in the nearest free space around what it is linked to. */
import type { Box } from "@/domains/graphs/drawing/edgeLabels";
import type { NodePositions, Point } from "@/domains/graphs/drawing/picture";
import { columnLayout, sectorLayout, type LayoutInput } from "./sectorLayout";

type Node = LayoutInput["nodes"][number];

interface Slot {
  distance: number;
  /** From the direction away from the middle of the picture. */
  turn: number;
}

const SYMBOL_PX = 18;
const GAP_PX = 8;
const NEAREST_PX = 90;
const RING_STEP_PX = 30;
const RINGS = 24;
const DIRECTIONS = 48;
/** So much further away is as good as opposite the outward direction. */
const INWARD_PX = 160;

/** What has a place keeps it; the same input has the same places. */
export function layoutNodes(task: LayoutInput): NodePositions {
  const known: NodePositions = {};
  for (const { id, at } of task.nodes) if (at) known[id] = { ...at };
  if (Object.keys(known).length > 0) return addNodes(task, known);
  return addNodes(task, task.isNarrow ? columnLayout(task) : sectorLayout(task));
}

function addNodes({ nodes, edges }: LayoutInput, known: NodePositions): NodePositions {
  const places: NodePositions = {};
  const taken: Box[] = [];
  const stand = (node: Node, at: Point) => {
    places[node.id] = at;
    taken.push(boxOf(node, at));
  };
  for (const node of nodes) if (known[node.id]) stand(node, known[node.id] as Point);
  const linked = neighboursOf(edges);
  const waiting = new Map(nodes.filter(({ id }) => !places[id]).map((node) => [node.id, node]));
  // The nearest ring that had space: what is linked to the same node later needs not try the rings before.
  const firstSlots = new Map<string, number>();
  while (waiting.size > 0) {
    const node = nextNode(waiting, linked, places);
    waiting.delete(node.id);
    const anchor = linked.get(node.id)?.find((id) => places[id]) ?? "";
    const { at, slot } = freePlace(node, places[anchor], taken, firstSlots.get(anchor) ?? 0);
    firstSlots.set(anchor, slot);
    stand(node, at);
  }
  return places;
}

function neighboursOf(edges: LayoutInput["edges"]): Map<string, string[]> {
  const linked = new Map<string, string[]>();
  for (const { source, target } of edges) {
    linked.set(source, [...(linked.get(source) ?? []), target]);
    linked.set(target, [...(linked.get(target) ?? []), source]);
  }
  return linked;
}

/** One that is linked to what stands already, where there is one. */
function nextNode(waiting: Map<string, Node>, linked: Map<string, string[]>, places: NodePositions): Node {
  const nodes = [...waiting.values()];
  return nodes.find(({ id }) => linked.get(id)?.some((other) => places[other])) ?? (nodes[0] as Node);
}

/** The best free place around a node; around the middle where it is linked to none. */
function freePlace(node: Node, around: Point | undefined, taken: Box[], firstSlot: number): { at: Point; slot: number } {
  const anchor = around ?? { x: 0, y: 0 };
  const isFree = (at: Point) => taken.every((box) => !overlap(box, boxOf(node, at)));
  if (!around && isFree(anchor)) return { at: anchor, slot: 0 };
  const isMiddle = Math.hypot(anchor.x, anchor.y) < 1;
  const slots = isMiddle ? EVEN_SLOTS : OUTWARD_SLOTS;
  const outward = isMiddle ? -Math.PI / 2 : Math.atan2(anchor.y, anchor.x);
  for (let scale = 1; ; scale *= 2) {
    for (let slot = scale === 1 ? firstSlot : 0; slot < slots.length; slot += 1) {
      const { distance, turn } = slots[slot] as Slot;
      const at = { x: Math.round(anchor.x + scale * distance * Math.cos(outward + turn)), y: Math.round(anchor.y + scale * distance * Math.sin(outward + turn)) };
      if (isFree(at)) return { at, slot: scale === 1 ? slot : slots.length };
    }
  }
}

const EVEN_SLOTS = slotsBy(({ distance }) => distance);
const OUTWARD_SLOTS = slotsBy(({ distance, turn }) => distance + (INWARD_PX * (1 - Math.cos(turn))) / 2);

function slotsBy(cost: (slot: Slot) => number): Slot[] {
  const slots: Slot[] = [];
  for (let ring = 0; ring < RINGS; ring += 1) {
    for (let turn = 0; turn < DIRECTIONS; turn += 1) slots.push({ distance: NEAREST_PX + RING_STEP_PX * ring, turn: (2 * Math.PI * turn) / DIRECTIONS });
  }
  return slots.toSorted((one, other) => cost(one) - cost(other));
}

/** Of the symbol with its name below, and some space around. */
function boxOf({ width, height }: Node, { x, y }: Point): Box {
  const [half, top] = [width / 2 + GAP_PX, y - SYMBOL_PX / 2 - GAP_PX];
  return { x1: x - half, x2: x + half, y1: top, y2: top + height + 2 * GAP_PX };
}

function overlap(one: Box, other: Box): boolean {
  return one.x1 < other.x2 && other.x1 < one.x2 && one.y1 < other.y2 && other.y1 < one.y2;
}
