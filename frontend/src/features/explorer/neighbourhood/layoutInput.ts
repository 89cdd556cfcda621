/** What the layout has to know of a scene: sizes, known places, and the sector of each neighbour. */
import { CHARACTER_WIDTH_PX, LINE_PX } from "@/domains/graphs/drawing/geometry";
import { labelWidth, narrowLabel, nodeLabel } from "@/domains/graphs/drawing/nodeLabel";
import { nodeName, type NodePositions } from "@/domains/graphs/drawing/picture";
import type { LayoutInput } from "./sectorLayout";
import type { Scene, SceneNode } from "./scene";

export function layoutInput(scene: Scene, known: NodePositions, isNarrow = false): LayoutInput {
  const sectors = sectorsOf(scene);
  const nodes = scene.nodes.map((node) => ({ id: node.id, ...(isNarrow ? narrowSize(node) : nodeSize(node)), at: known[node.id], sector: sectors.get(node.id) }));
  return {
    focus: scene.focus,
    isNarrow,
    nodes,
    edges: [...scene.edges, ...scene.edgesByNode].map(({ source, target }) => ({ source, target })),
  };
}

/** The relation by which each node is linked to the focus first, in the order of the sides. */
function sectorsOf({ focus, nodes, edges }: Scene): Map<string, string> {
  const sectors = new Map<string, string>();
  for (const { source, target, relation } of edges) {
    const other = source === focus ? target : target === focus ? source : focus;
    if (other !== focus && !sectors.has(other)) sectors.set(other, `${relation} ${source === focus}`);
  }
  for (const node of nodes) {
    if (node.kind === "more" && node.owner === focus) sectors.set(node.id, `${node.relation.relation} ${node.relation.outgoing}`);
  }
  return sectors;
}

/** The size of the symbol with its label below. */
function nodeSize(node: SceneNode): { width: number; height: number } {
  const name = nodeName(node);
  return { width: Math.max(28, CHARACTER_WIDTH_PX * labelWidth(name)), height: nodeLabel(name).includes("\n") ? 58 : 44 };
}

const NARROW_WIDTH_PX = 140;

function narrowSize(node: SceneNode): { width: number; height: number } {
  return { width: NARROW_WIDTH_PX, height: 24 + LINE_PX * narrowLabel(nodeName(node)).split("\n").length };
}
