/** Where everything stands: run in a worker, for it takes up to a second. */
import cytoscape from "cytoscape";
import fcose from "cytoscape-fcose";
import type { NodePositions } from "@/domains/graphs/drawing/picture";
import { columnLayout, sectorLayout, type LayoutInput } from "./sectorLayout";

export type { LayoutInput } from "./sectorLayout";

cytoscape.use(fcose);

/** The layout uses random numbers; the same seed gives the same picture. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function withSeed<T>(work: () => T): T {
  const random = Math.random;
  Math.random = seededRandom(20_260);
  try {
    return work();
  } finally {
    Math.random = random;
  }
}

/** What has a place keeps it; the first picture stands in sectors; the others find theirs around it. */
export function layoutNodes(task: LayoutInput): NodePositions {
  if (task.nodes.some(({ at }) => at)) return layoutAround(task);
  const sectors = task.isNarrow ? columnLayout(task) : sectorLayout(task);
  return layoutAround({ ...task, nodes: task.nodes.map((node) => ({ ...node, at: sectors[node.id] })) });
}

function layoutAround({ nodes, edges }: LayoutInput): NodePositions {
  if (nodes.every(({ at }) => at)) return Object.fromEntries(nodes.map(({ id, at }) => [id, { x: at?.x ?? 0, y: at?.y ?? 0 }]));
  return withSeed(() => {
    const starts = initialPositions(nodes, edges);
    const cy = cytoscape({
      headless: true,
      styleEnabled: true,
      style: [{ selector: "node", style: { width: "data(width)", height: "data(height)" } }],
      elements: [
        ...nodes.map(({ id, width, height }) => ({ data: { id, width, height }, position: starts[id] ?? { x: 0, y: 0 } })),
        ...edges.map(({ source, target }, at) => ({ data: { id: `e${at}`, source, target } })),
      ],
    });
    const fixed = nodes.flatMap(({ id, at }) => (at ? [{ nodeId: id, position: { ...at } }] : []));
    const isNew = fixed.length === 0;
    const options = {
      name: "fcose",
      quality: isNew ? "default" : "proof",
      randomize: isNew,
      animate: false,
      fit: false,
      nodeSeparation: 90,
      idealEdgeLength: 95,
      nodeRepulsion: 6500,
      packComponents: false,
      ...(fixed.length > 0 && { fixedNodeConstraint: fixed }),
    };
    cy.layout(options as cytoscape.LayoutOptions).run();
    const places: NodePositions = {};
    cy.nodes().forEach((node) => {
      const { x, y } = node.position();
      places[node.id()] = { x: Math.round(x), y: Math.round(y) };
    });
    for (const { id, at } of nodes) if (at) places[id] = { ...at };
    cy.destroy();
    return places;
  });
}

/** Something new begins close to what it is joined to. */
function initialPositions(nodes: LayoutInput["nodes"], edges: LayoutInput["edges"]): NodePositions {
  const known = new Map(nodes.flatMap(({ id, at }) => (at ? [[id, at] as const] : [])));
  const starts: NodePositions = {};
  for (const { id, at } of nodes) {
    if (at) {
      // A copy: the layout writes into the objects of its constraints.
      starts[id] = { ...at };
      continue;
    }
    const edge = edges.find(({ source, target }) => (source === id && known.has(target)) || (target === id && known.has(source)));
    const by = edge && known.get(edge.source === id ? edge.target : edge.source);
    const angle = 2 * Math.PI * Math.random();
    const distance = 60 + 60 * Math.random();
    starts[id] = { x: (by?.x ?? 0) + distance * Math.cos(angle), y: (by?.y ?? 0) + distance * Math.sin(angle) };
  }
  return starts;
}
