/** Lets the worker compute where everything stands; without one, a ring will do. */
import { labelWidth, narrowLabel, nodeLabel } from "@/domains/graphs/drawing/nodeLabel";
import { nodeName, type NodePositions } from "@/domains/graphs/drawing/picture";
import type { LayoutInput } from "./nodeLayout";
import type { Scene, SceneNode } from "./scene";

const CHARACTER_WIDTH_PX = 7.4;

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

const LINE_PX = 16;
const NARROW_WIDTH_PX = 140;

function narrowSize(node: SceneNode): { width: number; height: number } {
  return { width: NARROW_WIDTH_PX, height: 24 + LINE_PX * narrowLabel(nodeName(node)).split("\n").length };
}

export class LayoutRunner {
  #worker: Worker | null = null;
  #requestId = 0;
  #onCompleted: ((places: NodePositions) => void) | null = null;

  constructor() {
    try {
      this.#worker = new Worker(new URL("./nodeLayout.worker.ts", import.meta.url), { type: "module" });
      this.#worker.addEventListener("message", ({ data }: MessageEvent<{ number: number; places: NodePositions }>) => {
        if (data.number === this.#requestId) this.#onCompleted?.(data.places);
      });
      this.#worker.addEventListener("error", () => this.#reject());
    } catch (error) {
      // A browser that refuses workers still shows the picture, only less well ordered.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  #pending: LayoutInput | null = null;

  /** Only the last one requested is answered. */
  run(task: LayoutInput, done: (places: NodePositions) => void): void {
    this.#requestId += 1;
    this.#onCompleted = done;
    this.#pending = task;
    if (!this.#worker) return done(ringLayout(task));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a page's own worker
    this.#worker.postMessage({ number: this.#requestId, task });
  }

  #reject(): void {
    this.#worker?.terminate();
    this.#worker = null;
    if (this.#pending) this.#onCompleted?.(ringLayout(this.#pending));
  }

  terminate(): void {
    this.#onCompleted = null;
    this.#worker?.terminate();
  }
}

/** Everything in circles around the first, what has a place in its place. */
function ringLayout({ nodes }: LayoutInput): NodePositions {
  const places: NodePositions = {};
  const perCircle = 18;
  nodes.forEach(({ id, at }, index) => {
    const circle = Math.floor((index - 1) / perCircle) + 1;
    const angle = (2 * Math.PI * (index - 1)) / perCircle + circle / 2;
    const radius = index === 0 ? 0 : 150 * circle;
    places[id] = at ?? { x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)) };
  });
  return places;
}
