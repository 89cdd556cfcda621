/** The drawing itself: keeps a cytoscape canvas like the picture it is given. */
import cytoscape, { type Core, type ElementDefinition, type StylesheetJson } from "cytoscape";
import { standalonePhrase } from "../evidenceLabels";
import { arrowBox, labelGroups, placeWords, type Box } from "./edgeLabels";
import { narrowLabel, nodeLabel } from "./nodeLabel";
import { nodeName, type NodePositions, type Picture, type PictureNode, type Point } from "./picture";
import type { ThemeColours } from "./themeColours";

interface CytoscapeHandlers {
  onSelect: (id: string) => void;
  onToggle: (id: string) => void;
}

const MAX_LABELLED_EDGES = 6;
const MAX_WORDS_PX = 190;
const CHARACTER_WIDTH_PX = 7;
const CLOSE_ZOOM = 1.1;
const NAME_PX = 14;
/** Names are never smaller at first: of 10 px, and of 11 px on a phone. */
const READABLE_ZOOM = 10 / NAME_PX;
const NARROW_READABLE_ZOOM = 11 / NAME_PX;
/** So much larger than the frame, all of it is in the middle rather than one node. */
const NEARLY = 1.1;
const NARROW_WIDTH = 480;
const FADE_MS = 160;

export class CytoscapeView {
  readonly #cy: Core;
  readonly #isMoving: boolean;

  constructor(container: HTMLElement, hands: CytoscapeHandlers, { isMoving = false } = {}) {
    this.#isMoving = isMoving;
    this.#cy = cytoscape({
      container,
      minZoom: 0.15,
      maxZoom: 3,
      boxSelectionEnabled: false,
      autounselectify: true,
      style: [],
    });
    this.#cy.on("tap", "node, edge[?isEdge]", (event) => hands.onSelect((event.target as cytoscape.SingularElementReturnValue).id()));
    this.#cy.on("mouseover mouseout", "edge[?isEdge]", (event) => {
      (event.target as cytoscape.EdgeSingular).toggleClass("hovered", event.type === "mouseover");
    });
    this.#cy.on("dragfree", "node", () => this.#labelAgain());
    this.#cy.on("dbltap", "node[?canOpen]", (event) => hands.onToggle((event.target as cytoscape.NodeSingular).id()));
  }

  /** New things at their places, old ones gone, changed ones redrawn. */
  update(picture: Picture, places: NodePositions, inks: ThemeColours): void {
    const cy = this.#cy;
    cy.batch(() => {
      const elements = new Map(elementsOf(picture, inks, this.isNarrow() ? narrowLabel : nodeLabel).map((element) => [element.data.id as string, element]));
      cy.elements().filter((element) => !elements.has(element.id())).remove();
      for (const [id, element] of elements) {
        const there = cy.getElementById(id);
        if (there.nonempty()) there.data(element.data);
        else this.#add(element.group === "nodes" ? { ...element, position: { ...(places[id] ?? { x: 0, y: 0 }) } } : element);
      }
      for (const [id, at] of Object.entries(places)) cy.getElementById(id).position({ ...at });
    });
  }

  /** A new element of a moving drawing fades in. */
  #add(element: ElementDefinition): void {
    const added = this.#cy.add(element);
    if (this.#isMoving) added.style("opacity", 0).animate({ style: { opacity: 1 } }, { duration: FADE_MS });
  }

  applyColours(inks: ThemeColours): void {
    this.#cy.style(styleOf(inks));
  }

  select(id: string): void {
    const cy = this.#cy;
    cy.batch(() => {
      cy.elements().removeClass("selected near labelled");
      const chosen = cy.getElementById(id).addClass("selected");
      const near = chosen.connectedEdges().addClass("near");
      const isFew = near.length <= (this.isNarrow() ? 1 : MAX_LABELLED_EDGES);
      const groups = [...(isFew ? near.toArray().map((edge) => [edge]) : []), ...labelGroups(this.#sectors())];
      this.#label(groups as cytoscape.EdgeSingular[][]);
      chosen.edges().data("shift", { x: 0, y: 0 }).addClass("labelled");
    });
  }

  #labelAgain(): void {
    const [chosen] = this.#cy.$(".selected").toArray();
    if (chosen) this.select(chosen.id());
  }

  /** Of each group, words on the first edge where they cover no name and no other words. */
  #label(groups: cytoscape.EdgeSingular[][]): void {
    if (groups.length === 0) return;
    const names = this.#cy.nodes().map((node): Box => node.boundingBox({ includeOverlays: false }));
    const taken = [...names, ...arrowBoxes(groups.flat())];
    const words: Point[] = [];
    for (const group of groups) {
      for (const edge of group.some((one) => one.hasClass("labelled")) ? [] : group) {
        const [from, to] = [edge.source().position(), edge.target().position()];
        const placed = placeWords({ from, to, width: wordsWidth(edge.data("phrase") as string) }, taken, words);
        if (!placed) continue;
        const aside = placed.share - 0.5;
        edge.data("shift", { x: aside * (to.x - from.x), y: aside * (to.y - from.y) }).addClass("labelled");
        words.push(...placed.covered);
        break;
      }
    }
  }

  /** The edges of the focus by relation, the longest first. */
  #sectors(): cytoscape.EdgeSingular[][] {
    // On a narrow screen they would cover the names: there they are in the legend and in the table.
    if (this.isNarrow()) return [];
    const sectors = new Map<string, cytoscape.EdgeSingular[]>();
    const lengthOf = (edge: cytoscape.EdgeSingular) => {
      const [from, to] = [edge.source().position(), edge.target().position()];
      return Math.hypot(from.x - to.x, from.y - to.y);
    };
    this.#cy.nodes("[?isFocus]").connectedEdges("[?isEdge]").forEach((edge) => {
      const key = `${edge.data("phrase")} ${edge.source().data("isFocus")}`;
      sectors.set(key, [...(sectors.get(key) ?? []), edge]);
    });
    return [...sectors.values()].map((edges) => edges.toSorted((one, other) => lengthOf(other) - lengthOf(one)));
  }

  /** Moves only where the selected would else be out of sight. */
  reveal(id: string): void {
    const chosen = this.#cy.getElementById(id);
    if (chosen.empty()) return;
    const { x1, y1, x2, y2 } = chosen.renderedBoundingBox();
    if (x1 < 0 || y1 < 0 || x2 > this.#cy.width() || y2 > this.#cy.height()) this.#cy.center(chosen);
  }

  /** All of it, as large as it goes. */
  fit(): void {
    const cy = this.#cy;
    cy.resize();
    cy.fit(undefined, 12);
    if (cy.zoom() > CLOSE_ZOOM) {
      cy.zoom(CLOSE_ZOOM);
      cy.center();
    }
  }

  /** As much of it as can still be read, around these of its nodes. */
  start(...ids: string[]): void {
    this.fit();
    const readable = this.isNarrow() ? NARROW_READABLE_ZOOM : READABLE_ZOOM;
    if (this.#cy.zoom() >= readable) return;
    this.#cy.zoom(readable);
    const { w, h } = this.#cy.elements().renderedBoundingBox();
    const nearlyFits = w <= NEARLY * this.#cy.width() && h <= NEARLY * this.#cy.height();
    const around = this.#cy.nodes().filter((node) => ids.includes(node.id()));
    this.#cy.center(nearlyFits ? undefined : around);
  }

  /** Too narrow for names in circles. */
  isNarrow(): boolean {
    return this.#cy.width() < NARROW_WIDTH;
  }

  zoom(factor: number): void {
    const cy = this.#cy;
    cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
  }

  resize(): void {
    this.#cy.resize();
  }

  /** Where things stand now: somebody may have dragged them. */
  positions(): NodePositions {
    const now: Record<string, Point> = {};
    this.#cy.nodes().forEach((node) => {
      const { x, y } = node.position();
      now[node.id()] = { x: Math.round(x), y: Math.round(y) };
    });
    return now;
  }

  destroy(): void {
    this.#cy.destroy();
  }
}

function arrowBoxes(edges: cytoscape.EdgeSingular[]): Box[] {
  return edges
    .filter((edge) => edge.data("arrow") !== "none")
    .map((edge) => arrowBox({ from: edge.source().position(), to: edge.target().position() }, edge.target().width()));
}

function elementsOf(picture: Picture, inks: ThemeColours, toLabel: (name: string) => string): ElementDefinition[] {
  return [
    ...picture.nodes.map((node): ElementDefinition => ({ group: "nodes", data: nodeData(picture, node, inks, toLabel) })),
    ...picture.edges.map((edge): ElementDefinition => ({
      group: "edges",
      data: {
        id: edge.id,
        source: edge.source,
        target: edge.target,
        isEdge: true,
        phrase: standalonePhrase(edge.phrase),
        arrow: edge.symmetric ? "none" : "triangle",
        isFaint: edge.isFaint ?? false,
      },
    })),
    ...picture.edgesByNode.map(({ id, source, target }): ElementDefinition => ({
      group: "edges", data: { id, source, target, isTie: true, phrase: "", arrow: "none" },
    })),
  ];
}

function nodeData(picture: Picture, node: PictureNode, inks: ThemeColours, toLabel: (name: string) => string) {
  const base = { id: node.id, name: toLabel(nodeName(node)), isFocus: node.id === picture.focus };
  if (node.kind === "more") {
    return { ...base, shape: "ellipse", colour: inks.surface, size: 16, isMore: true, isOpen: false };
  }
  const { shape, colour } = node.style;
  const size = base.isFocus ? 30 : node.isOpen ? 24 : 18;
  return { ...base, shape, colour: inks[colour], size, canOpen: true, isOpen: node.isOpen, mark: node.mark ?? "" };
}

function shiftOf(edge: cytoscape.EdgeSingular): Point {
  return (edge.data("shift") as Point | undefined) ?? { x: 0, y: 0 };
}

/** As the letters of the picture run, with the space around them. */
function wordsWidth(phrase: string): number {
  return Math.min(MAX_WORDS_PX, CHARACTER_WIDTH_PX * phrase.length) + 8;
}

function styleOf(inks: ThemeColours): StylesheetJson {
  const font = getComputedStyle(document.body).fontFamily;
  return [
    {
      selector: "node",
      style: {
        shape: "data(shape)" as "ellipse",
        "background-color": "data(colour)",
        width: "data(size)",
        height: "data(size)",
        label: "data(name)",
        color: inks.ink,
        "font-family": font,
        "font-size": NAME_PX,
        "text-valign": "bottom",
        "text-margin-y": 4,
        "text-wrap": "wrap",
        "text-max-width": "240px",
        "text-background-color": inks.surface,
        "text-background-opacity": 0.85,
        "text-background-padding": "1px",
        "min-zoomed-font-size": 6,
        "overlay-opacity": 0,
      },
    },
    { selector: "node[?isFocus]", style: { "font-weight": 600, "font-size": NAME_PX } },
    { selector: "node[?isOpen]", style: { "border-width": 2, "border-color": inks.ink } },
    {
      selector: "node[mark = 'offered']",
      style: { "background-color": inks.surface, "border-width": 1.5, "border-color": "data(colour)" as string, color: inks.muted },
    },
    { selector: "node[mark = 'frontier']", style: { "border-width": 3, "border-color": inks.ink } },
    {
      selector: "node[mark = 'hit']",
      style: { "background-color": inks.good, "border-width": 3, "border-color": inks.good, color: inks.good, "font-weight": 600 },
    },
    {
      selector: "node[?isMore]",
      style: { "border-width": 1.5, "border-style": "dashed", "border-color": inks.muted, color: inks.muted },
    },
    {
      selector: "edge",
      style: {
        width: 1,
        "line-color": inks["line-strong"],
        "line-opacity": 0.7,
        "curve-style": "bezier",
        "target-arrow-shape": "data(arrow)" as "triangle",
        "target-arrow-color": inks["line-strong"],
        "arrow-scale": 0.7,
        "overlay-opacity": 0,
      },
    },
    { selector: "edge[?isTie]", style: { "line-style": "dashed" } },
    { selector: "edge[?isFaint]", style: { "line-style": "dotted", "line-opacity": 0.5 } },
    {
      selector: "edge.near",
      style: { width: 2, "line-opacity": 1, "line-color": inks.accent, "target-arrow-color": inks.accent },
    },
    {
      selector: "edge.labelled, edge.hovered",
      style: {
        label: "data(phrase)",
        "font-family": font,
        "font-size": NAME_PX,
        color: inks.ink,
        "text-rotation": "autorotate",
        "text-wrap": "ellipsis",
        "text-max-width": `${MAX_WORDS_PX}px`,
        "text-margin-x": ((edge: cytoscape.EdgeSingular) => shiftOf(edge).x) as unknown as number,
        "text-margin-y": ((edge: cytoscape.EdgeSingular) => shiftOf(edge).y) as unknown as number,
        "text-background-color": inks.surface,
        "text-background-opacity": 0.9,
        "text-background-padding": "2px",
      },
    },
    {
      selector: "node.selected",
      style: { "border-width": 3, "border-color": inks.focus, "border-style": "solid", "font-weight": 600, "z-index": 10 },
    },
    { selector: "edge.selected", style: { width: 3, "line-opacity": 1, "line-color": inks.focus, "target-arrow-color": inks.focus } },
  ];
}
