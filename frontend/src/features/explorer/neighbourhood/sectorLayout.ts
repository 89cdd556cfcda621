/** The first picture of an entity: what is linked to it stands in sectors, one for each relation. */
import type { NodePositions, Point } from "@/domains/graphs/drawing/picture";

export interface LayoutInput {
  nodes: { id: string; width: number; height: number; at?: Point | undefined; sector?: string | undefined }[];
  edges: { source: string; target: string }[];
  /** The node at the centre of the sectors. */
  focus?: string;
  /** Where circles and their names do not fit beside each other. */
  isNarrow?: boolean;
}

const SYMBOL_PX = 18;
const RING_STEP = 92;
const MIN_RADIUS = 130;
/** Between two neighbours of one ring. */
const NODE_SPACING = 132;
const NODES_PER_RING = 8;

/**
 * Places for the nodes that name a sector, around the node at the origin. Sectors stand clockwise from the
 * top in the order of the nodes, with a gap between them; neighbours alternate between rings, so that
 * their labels do not overlap.
 */
export function sectorLayout({ nodes, focus }: Pick<LayoutInput, "nodes" | "focus">): NodePositions {
  const sectors = groupBySector(nodes, focus);
  const count = [...sectors.values()].flat().length;
  const gap = sectors.size > 1 ? 1 : 0;
  const slots = count + gap * sectors.size;
  const rings = Math.max(2, Math.ceil(count / NODES_PER_RING));
  const angle = (2 * Math.PI) / Math.max(1, slots);
  const inner = Math.max(MIN_RADIUS, NODE_SPACING / (rings * angle));
  const places: NodePositions = focus === undefined ? {} : { [focus]: { x: 0, y: 0 } };
  let slot = 0;
  for (const members of sectors.values()) {
    for (const { id } of members) {
      const radius = inner + RING_STEP * (slot % rings);
      const turn = angle * slot - Math.PI / 2;
      places[id] = { x: Math.round(radius * Math.cos(turn)), y: Math.round(radius * Math.sin(turn)) };
      slot += 1;
    }
    slot += gap;
  }
  return places;
}

const COLUMN_X = 116;
const ROW_GAP = 14;

/**
 * The same order on a narrow screen: down a column to the right of the node in the middle, and up another
 * to its left. Each row is as high as the symbol with its name, so that no two names overlap.
 */
export function columnLayout({ nodes, focus }: Pick<LayoutInput, "nodes" | "focus">): NodePositions {
  const all = [...groupBySector(nodes, focus).values()].flat();
  const half = Math.ceil(all.length / 2);
  const places: NodePositions = focus === undefined ? {} : { [focus]: { x: 0, y: 0 } };
  for (const [column, x] of [[all.slice(0, half), COLUMN_X], [all.slice(half).toReversed(), -COLUMN_X]] as const) {
    let y = -column.reduce((sum, { height }) => sum + height + ROW_GAP, -ROW_GAP) / 2;
    for (const { id, height } of column) {
      // The symbol stands at the top of its row, above the name.
      places[id] = { x, y: Math.round(y + SYMBOL_PX / 2) };
      y += height + ROW_GAP;
    }
  }
  return places;
}

/** In the order of the nodes; the node in the middle is in none. */
function groupBySector(nodes: LayoutInput["nodes"], focus: string | undefined): Map<string, LayoutInput["nodes"]> {
  const sectors = new Map<string, LayoutInput["nodes"]>();
  for (const node of nodes) {
    if (node.sector !== undefined && node.id !== focus) sectors.set(node.sector, [...(sectors.get(node.sector) ?? []), node]);
  }
  return sectors;
}
