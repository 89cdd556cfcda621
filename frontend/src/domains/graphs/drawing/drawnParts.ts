/** The nodes and edges of a drawing: what they are, where they stand, and their elements. */
import { standalonePhrase } from "../evidenceLabels";
import { arrowBox, type Box } from "./edgeLabels";
import { bendOf, boxOf, curveBetween, readableAngle, type Curve, type Disc } from "./geometry";
import { narrowLabel, NARROW_LINE, nodeLabel, wholeLabel } from "./nodeLabel";
import { nodeName, type Picture, type PictureNode, type Point } from "./picture";
import { edgeElement, moveTo, nodeElement, setCurve, wordsElement, type EdgeMarks } from "./svgParts";

export interface DrawnNode {
  id: string;
  at: Disc;
  isFocus: boolean;
  canOpen: boolean;
  label: string;
  whole: string;
  /** One of both; empty before it is drawn. */
  shown: string;
  element: SVGGElement;
}

export interface DrawnEdge {
  id: string;
  source: DrawnNode;
  target: DrawnNode;
  /** Empty for what joins a rest to its entity. */
  phrase: string;
  hasHead: boolean;
  bend: number;
  curve: Curve;
  element: SVGGElement;
  words: SVGTextElement | null;
}

const MAX_WORDS_PX = 190;
const CHARACTER_WIDTH_PX = 7;
const MAX_WORDS_CHARACTERS = Math.floor(MAX_WORDS_PX / CHARACTER_WIDTH_PX);

export function drawNode(node: PictureNode, at: Point, { isFocus, isNarrow }: { isFocus: boolean; isNarrow: boolean }): DrawnNode {
  const name = nodeName(node);
  const label = isNarrow ? narrowLabel(name) : nodeLabel(name);
  const size = node.kind === "more" ? 16 : isFocus ? 30 : node.isOpen ? 24 : 18;
  const element = nodeElement(node, { size, isFocus });
  moveTo(element, at);
  return {
    id: node.id,
    at: { x: at.x, y: at.y, size },
    isFocus,
    canOpen: node.kind === "entity",
    label,
    whole: label.includes("…") ? wholeLabel(name, isNarrow ? NARROW_LINE : undefined) : label,
    shown: "",
    element,
  };
}

/** By their identifiers; an edge without both of its ends is left out. */
export function drawEdges({ edges, edgesByNode }: Picture, nodes: ReadonlyMap<string, DrawnNode>): Map<string, DrawnEdge> {
  const drawn = new Map<string, DrawnEdge>();
  const bundles = new Map<string, DrawnEdge[]>();
  const add = (id: string, ends: { source: string; target: string }, kind: Omit<EdgeMarks, "id"> & { phrase: string }) => {
    const [source, target] = [nodes.get(ends.source), nodes.get(ends.target)];
    if (!source || !target) return;
    const element = edgeElement({ id, ...kind });
    const edge = { id, source, target, phrase: kind.phrase, hasHead: kind.hasHead, element, bend: 0, curve: curveBetween(source.at, target.at, 0), words: null };
    drawn.set(id, edge);
    const pair = JSON.stringify([source.id, target.id].toSorted());
    bundles.set(pair, [...(bundles.get(pair) ?? []), edge]);
  };
  for (const edge of edges) {
    add(edge.id, edge, { isEdge: true, phrase: standalonePhrase(edge.phrase), hasHead: !edge.symmetric, isFaint: edge.isFaint ?? false });
  }
  for (const tie of edgesByNode) add(tie.id, tie, { isEdge: false, phrase: "", hasHead: false, isFaint: false });
  for (const bundle of bundles.values()) {
    bundle.forEach((edge, at) => {
      // Seen from its own source: edges of both directions stand side by side.
      edge.bend = bendOf(at, bundle.length) * (edge.source.id < edge.target.id ? 1 : -1);
      layEdge(edge);
    });
  }
  return drawn;
}

/** Between its ends as they stand now. */
export function layEdge(edge: DrawnEdge): void {
  edge.curve = curveBetween(edge.source.at, edge.target.at, edge.bend);
  setCurve(edge.element, edge.curve);
}

/** On its middle, or by such a share of the way aside. */
export function wordsOf({ phrase, source: { at: from }, target: { at: to }, curve: { middle } }: DrawnEdge, aside = 0): SVGTextElement {
  const words = phrase.length > MAX_WORDS_CHARACTERS ? `${phrase.slice(0, MAX_WORDS_CHARACTERS - 1)}…` : phrase;
  const at = { x: middle.x + aside * (to.x - from.x), y: middle.y + aside * (to.y - from.y) };
  return wordsElement(words, at, readableAngle(from, to));
}

/** As the letters of the picture run, with the space around them. */
export function wordsWidth(phrase: string): number {
  return Math.min(MAX_WORDS_PX, CHARACTER_WIDTH_PX * phrase.length) + 8;
}

/** The edges of the focus by relation, the longest first. */
export function sectorsOf(edges: Iterable<DrawnEdge>): DrawnEdge[][] {
  const sectors = new Map<string, DrawnEdge[]>();
  for (const edge of edges) {
    if (!edge.phrase || !(edge.source.isFocus || edge.target.isFocus)) continue;
    const key = `${edge.phrase} ${edge.source.isFocus}`;
    sectors.set(key, [...(sectors.get(key) ?? []), edge]);
  }
  return [...sectors.values()].map((members) => members.toSorted((one, other) => lengthOf(other) - lengthOf(one)));
}

function lengthOf({ source: { at: from }, target: { at: to } }: DrawnEdge): number {
  return Math.hypot(from.x - to.x, from.y - to.y);
}

export function nodeBox({ at, label, shown }: DrawnNode): Box {
  return boxOf(at, shown || label);
}

export function headBoxes(edges: DrawnEdge[]): Box[] {
  return edges.filter(({ hasHead }) => hasHead).map(({ source, target }) => arrowBox({ from: source.at, to: target.at }, target.at.size));
}
