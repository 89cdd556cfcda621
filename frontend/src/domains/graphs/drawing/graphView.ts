/** The drawing itself: keeps an SVG like the picture it is given. */
import { drawEdges, drawNode, headBoxes, layEdge, nodeBox, sectorsOf, wordsOf, wordsWidth, type DrawnEdge, type DrawnNode } from "./drawnParts";
import { labelGroups, placeWords, type Box } from "./edgeLabels";
import { boxAround } from "./geometry";
import { Gestures } from "./gestures";
import styles from "./GraphView.module.css";
import type { NodePositions, Picture, Point } from "./picture";
import { mark, moveTo, nameElement, svg } from "./svgParts";
import { Viewport } from "./viewport";

interface GraphViewHandlers {
  onSelect: (id: string) => void;
  onToggle: (id: string) => void;
}

interface PlacedWords {
  edge: DrawnEdge;
  /** From the middle, as a share of the way. */
  aside: number;
}

const MAX_LABELLED_EDGES = 6;
const CLOSE_ZOOM = 1.1;
const NAME_PX = 14;
/** Names are never smaller at first: of 10 px, and of 11 px on a phone. */
const READABLE_ZOOM = 10 / NAME_PX;
const NARROW_READABLE_ZOOM = 11 / NAME_PX;
const FAR_ZOOM = 6 / NAME_PX;
/** So much larger than the frame, all of it is in the middle rather than one node. */
const NEARLY = 1.1;
const NARROW_WIDTH = 480;
const PADDING_PX = 12;

export class GraphView {
  readonly #handlers: GraphViewHandlers;
  readonly #view: Viewport;
  readonly #gestures: Gestures;
  readonly #nodes = new Map<string, DrawnNode>();
  #edges = new Map<string, DrawnEdge>();
  readonly #edgeLayer = svg("g", {});
  readonly #wordLayer = svg("g", {});
  readonly #nodeLayer = svg("g", {});
  readonly #all = svg("g", {}, this.#edgeLayer, this.#wordLayer, this.#nodeLayer);
  readonly #drawing: SVGSVGElement;
  #selected = "";
  #hovered = "";
  #hoverWords: SVGElement | null = null;

  constructor(frame: HTMLElement, handlers: GraphViewHandlers, { isMoving = false } = {}) {
    this.#handlers = handlers;
    this.#drawing = svg("svg", { class: styles.drawing, "data-moving": isMoving }, this.#all);
    frame.classList.add(styles.frame ?? "");
    frame.append(this.#drawing);
    this.#view = new Viewport(frame, () => this.#show());
    this.#gestures = new Gestures(frame, {
      onTap: (id) => handlers.onSelect(id),
      onDoubleTap: (id) => this.#open(id),
      onDrag: (id, x, y) => this.#drag(id, x, y),
      onDrop: () => this.select(this.#selected),
      onPan: (x, y) => this.#view.panBy(x, y),
      onZoom: (factor, at) => this.#view.zoomTo(this.#view.zoom * factor, at),
    });
    this.#show();
    this.#drawing.addEventListener("pointerover", (event) => this.#hover(idBelow(event)));
    this.#drawing.addEventListener("pointerleave", () => this.#hover(""));
  }

  /** New things at their places, old ones gone, changed ones drawn again. */
  update(picture: Picture, places: NodePositions): void {
    const before = new Map(this.#nodes);
    const isNarrow = this.isNarrow();
    this.#nodes.clear();
    for (const node of picture.nodes) {
      const at = places[node.id] ?? before.get(node.id)?.at ?? { x: 0, y: 0 };
      const drawn = drawNode(node, at, { isFocus: node.id === picture.focus, isNarrow });
      mark(drawn.element, "new", !before.has(node.id));
      this.#nodes.set(node.id, drawn);
    }
    this.#nodeLayer.replaceChildren(...[...this.#nodes.values()].map(({ element }) => element));
    this.#edges = drawEdges(picture, this.#nodes);
    this.#edgeLayer.replaceChildren(...[...this.#edges.values()].map(({ element }) => element));
    this.#hovered = "";
    this.select(this.#selected);
  }

  select(id: string): void {
    this.#selected = id;
    const chosen = this.#nodes.get(id);
    const near = [...this.#edges.values()].filter(({ source, target }) => chosen !== undefined && (source === chosen || target === chosen));
    for (const node of this.#nodes.values()) this.#name(node);
    for (const edge of this.#edges.values()) {
      mark(edge.element, "selected", edge.id === id);
      mark(edge.element, "near", near.includes(edge));
    }
    const isFew = near.length <= (this.isNarrow() ? 1 : MAX_LABELLED_EDGES);
    const groups = [...(isFew ? near.filter(({ phrase }) => phrase).map((edge) => [edge]) : []), ...labelGroups(this.#sectors())];
    const own = this.#edges.get(id);
    this.#writeWords([...this.#placeWords(groups).filter(({ edge }) => edge !== own), ...(own ? [{ edge: own, aside: 0 }] : [])]);
  }

  /** What is cut is whole above the others while it is selected or pointed at; the selection follows the keys. */
  #name(node: DrawnNode): void {
    const isWhole = node.id === this.#selected || node.id === this.#hovered;
    mark(node.element, "selected", node.id === this.#selected);
    if (isWhole && this.#nodeLayer.lastElementChild !== node.element) this.#nodeLayer.append(node.element);
    const name = isWhole ? node.whole : node.label;
    if (node.shown === name) return;
    node.shown = name;
    node.element.querySelector("text")?.remove();
    node.element.append(nameElement(name, node.at.size));
  }

  /** Of each group, words on the first edge where they cover no name and no other words. */
  #placeWords(groups: DrawnEdge[][]): PlacedWords[] {
    if (groups.length === 0) return [];
    const taken = [...this.#boxes(), ...headBoxes(groups.flat())];
    const covered: Point[] = [];
    const placed = new Map<DrawnEdge, PlacedWords>();
    for (const group of groups) {
      for (const edge of group.some((one) => placed.has(one)) ? [] : group) {
        const { source: { at: from }, target: { at: to } } = edge;
        const free = placeWords({ from, to, width: wordsWidth(edge.phrase) }, taken, covered);
        if (!free) continue;
        placed.set(edge, { edge, aside: free.share - 0.5 });
        covered.push(...free.covered);
        break;
      }
    }
    return [...placed.values()];
  }

  #writeWords(placed: PlacedWords[]): void {
    for (const edge of this.#edges.values()) edge.words = null;
    for (const { edge, aside } of placed) edge.words = edge.phrase ? wordsOf(edge, aside) : null;
    this.#wordLayer.replaceChildren(...placed.flatMap(({ edge }) => edge.words ?? []));
  }

  /** On a narrow screen they would cover the names: there they are in the legend and in the table. */
  #sectors(): DrawnEdge[][] {
    return this.isNarrow() ? [] : sectorsOf(this.#edges.values());
  }

  #hover(id: string): void {
    if (id === this.#hovered) return;
    const before = this.#nodes.get(this.#hovered);
    this.#hovered = id;
    for (const node of [before, this.#nodes.get(id)]) if (node) this.#name(node);
    this.#hoverWords?.remove();
    const edge = this.#edges.get(id);
    this.#hoverWords = edge?.phrase && !edge.words ? wordsOf(edge) : null;
    if (this.#hoverWords) this.#wordLayer.append(this.#hoverWords);
  }

  #open(id: string): void {
    if (this.#nodes.get(id)?.canOpen) this.#handlers.onToggle(id);
  }

  #drag(id: string, x: number, y: number): void {
    const node = this.#nodes.get(id);
    if (!node) return;
    node.at = { ...node.at, x: node.at.x + x / this.#view.zoom, y: node.at.y + y / this.#view.zoom };
    moveTo(node.element, node.at);
    for (const edge of this.#edges.values()) {
      if (edge.source !== node && edge.target !== node) continue;
      layEdge(edge);
      edge.words?.remove();
    }
  }

  #show(): void {
    const { pan, zoom } = this.#view;
    this.#all.setAttribute("transform", `translate(${pan.x} ${pan.y}) scale(${zoom})`);
    mark(this.#drawing, "far", zoom < FAR_ZOOM);
  }

  #boxes(): Box[] {
    return [...this.#nodes.values()].map(nodeBox);
  }

  /** Moves only where the selected would else be out of sight. */
  reveal(id: string): void {
    const node = this.#nodes.get(id);
    const edge = this.#edges.get(id);
    const box = node ? nodeBox(node) : edge ? boxAround([nodeBox(edge.source), nodeBox(edge.target)]) : null;
    if (box && !this.#view.shows(box)) this.#view.centre(box);
  }

  /** All of it, as large as it goes. */
  fit(): void {
    const box = boxAround(this.#boxes());
    if (box) this.#view.fit(box, PADDING_PX, CLOSE_ZOOM);
  }

  /** As much of it as can still be read, around these of its nodes. */
  start(...ids: string[]): void {
    this.fit();
    const all = boxAround(this.#boxes());
    const readable = this.isNarrow() ? NARROW_READABLE_ZOOM : READABLE_ZOOM;
    if (!all || this.#view.zoom >= readable) return;
    this.#view.zoomTo(readable);
    const nearlyFits = readable * (all.x2 - all.x1) <= NEARLY * this.#view.width && readable * (all.y2 - all.y1) <= NEARLY * this.#view.height;
    const around = boxAround(ids.flatMap((id) => this.#nodes.get(id) ?? []).map(nodeBox));
    this.#view.centre(nearlyFits ? all : (around ?? all));
  }

  /** Too narrow for names in circles. */
  isNarrow(): boolean {
    return this.#view.width < NARROW_WIDTH;
  }

  zoom(factor: number): void {
    this.#view.zoomTo(this.#view.zoom * factor);
  }

  /** Where things stand now: somebody may have dragged them. */
  positions(): NodePositions {
    return Object.fromEntries([...this.#nodes].map(([id, { at }]) => [id, { x: Math.round(at.x), y: Math.round(at.y) }]));
  }

  destroy(): void {
    this.#gestures.stop();
    this.#drawing.remove();
  }
}

function idBelow({ target }: Event): string {
  const element = target instanceof Element ? target.closest<SVGElement>("[data-node], [data-edge]") : null;
  return element?.dataset.node ?? element?.dataset.edge ?? "";
}
