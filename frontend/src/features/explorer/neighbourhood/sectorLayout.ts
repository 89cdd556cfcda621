/** The first picture of an entity: what is linked to it stands in sectors, one for each relation. */

export interface Point {
  x: number;
  y: number;
}

export interface LayoutInput {
  nodes: { id: string; width: number; height: number; at?: Point | undefined; sector?: string | undefined }[];
  edges: { source: string; target: string }[];
  /** The node at the centre of the sectors. */
  focus?: string;
}

export type NodePositions = Record<string, Point>;

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
  const sectors = new Map<string, string[]>();
  for (const { id, sector } of nodes) if (sector !== undefined && id !== focus) sectors.set(sector, [...(sectors.get(sector) ?? []), id]);
  const count = nodes.filter(({ id, sector }) => sector !== undefined && id !== focus).length;
  const gap = sectors.size > 1 ? 1 : 0;
  const slots = count + gap * sectors.size;
  const rings = Math.max(2, Math.ceil(count / NODES_PER_RING));
  const angle = (2 * Math.PI) / Math.max(1, slots);
  const inner = Math.max(MIN_RADIUS, NODE_SPACING / (rings * angle));
  const places: NodePositions = focus === undefined ? {} : { [focus]: { x: 0, y: 0 } };
  let slot = 0;
  for (const ids of sectors.values()) {
    for (const id of ids) {
      const radius = inner + RING_STEP * (slot % rings);
      const turn = angle * slot - Math.PI / 2;
      places[id] = { x: Math.round(radius * Math.cos(turn)), y: Math.round(radius * Math.sin(turn)) };
      slot += 1;
    }
    slot += gap;
  }
  return places;
}
