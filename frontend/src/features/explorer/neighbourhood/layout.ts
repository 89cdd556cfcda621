/** Asks the worker where everything stands; without one, a ring will do. */
import type { Places, ToArrange } from "./arrange";
import { nodeName, type Scene, type SceneNode } from "./scene";

const LETTER = 6.6;
const LABEL_AT_MOST = 120;

export function toArrange(scene: Scene, known: Places): ToArrange {
  return {
    nodes: scene.nodes.map((node) => ({ id: node.id, ...sizeOf(node), at: known[node.id] })),
    edges: [...scene.edges, ...scene.ties].map(({ source, target }) => ({ source, target })),
  };
}

/** Room for the sign and for the label under it. */
function sizeOf(node: SceneNode): { width: number; height: number } {
  return { width: Math.max(28, Math.min(LABEL_AT_MOST, LETTER * nodeName(node).length)), height: 44 };
}

export class Layout {
  #worker: Worker | null = null;
  #number = 0;
  #done: ((places: Places) => void) | null = null;

  constructor() {
    try {
      this.#worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
      this.#worker.addEventListener("message", ({ data }: MessageEvent<{ number: number; places: Places }>) => {
        if (data.number === this.#number) this.#done?.(data.places);
      });
      this.#worker.addEventListener("error", () => this.#fail());
    } catch (error) {
      // A browser that refuses workers still shows the picture, only less well ordered.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  #waiting: ToArrange | null = null;

  /** Only the last one asked for is answered. */
  ask(task: ToArrange, done: (places: Places) => void): void {
    this.#number += 1;
    this.#done = done;
    this.#waiting = task;
    if (!this.#worker) return done(ring(task));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a page's own worker
    this.#worker.postMessage({ number: this.#number, task });
  }

  #fail(): void {
    this.#worker?.terminate();
    this.#worker = null;
    if (this.#waiting) this.#done?.(ring(this.#waiting));
  }

  end(): void {
    this.#done = null;
    this.#worker?.terminate();
  }
}

/** Everything in circles around the first, what has a place in its place. */
export function ring({ nodes }: ToArrange): Places {
  const places: Places = {};
  const perCircle = 18;
  nodes.forEach(({ id, at }, index) => {
    const circle = Math.floor((index - 1) / perCircle) + 1;
    const angle = (2 * Math.PI * (index - 1)) / perCircle + circle / 2;
    const radius = index === 0 ? 0 : 150 * circle;
    places[id] = at ?? { x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)) };
  });
  return places;
}
