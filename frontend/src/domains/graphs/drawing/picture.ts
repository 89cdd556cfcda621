/** What a drawing of a part of a graph needs to know, wherever it was read from. */
import type { TypeStyle } from "../typeStyles";

export interface Point {
  x: number;
  y: number;
}

export type NodePositions = Record<string, Point>;

/** In a walk: offered and not chosen, chosen, what the present step is about, and a hit. */
export type NodeMark = "offered" | "chosen" | "frontier" | "hit";

interface EntityNode {
  kind: "entity";
  id: string;
  name: string;
  type: string;
  style: TypeStyle;
  isOpen: boolean;
  mark?: NodeMark;
}

/** Stands for entities that are not drawn. */
interface RestNode {
  kind: "more";
  id: string;
  rest: number;
}

export type PictureNode = EntityNode | RestNode;

interface PictureEdge {
  id: string;
  source: string;
  target: string;
  phrase: string;
  symmetric: boolean;
  /** Offered and not chosen. */
  isFaint?: boolean;
}

export interface Picture {
  focus: string;
  nodes: PictureNode[];
  edges: PictureEdge[];
  /** Joins a rest to its entity; drawn, but no edge of the graph. */
  edgesByNode: { id: string; source: string; target: string }[];
}

export function nodeName(node: PictureNode): string {
  return node.kind === "more" ? `+${node.rest.toLocaleString("en-GB")}` : node.name;
}
