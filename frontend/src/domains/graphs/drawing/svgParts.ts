/** Nodes, edges and words as elements; GraphView.module.css gives them their look. */
import { shapePoints } from "../typeStyles";
import { LINE_PX, NAME_GAP_PX, type Curve, type Disc } from "./geometry";
import type { PictureNode, Point } from "./picture";
import styles from "./GraphView.module.css";

const SVG = "http://www.w3.org/2000/svg";
const ASCENT_PX = 12;

/** Attributes without a value are left out. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag, attributes: Record<string, string | number | boolean | undefined>, ...children: SVGElement[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** At the origin: its group is moved to its place. */
export function nodeElement(node: PictureNode, { size, isFocus }: { size: number; isFocus: boolean }): SVGGElement {
  const isEntity = node.kind === "entity";
  const points = isEntity ? shapePoints(node.style.shape, size / 2) : null;
  const symbol = points ? svg("polygon", { class: styles.symbol, points }) : svg("circle", { class: styles.symbol, r: size / 2 });
  const group = svg("g", {
    class: styles.node,
    "data-node": node.id,
    "data-focus": isFocus,
    "data-more": !isEntity,
    "data-open": isEntity && node.isOpen,
    "data-mark": isEntity ? node.mark : undefined,
  }, svg("circle", { class: styles.reach, r: size }), symbol);
  if (isEntity) group.style.setProperty("--own", `var(--${node.style.colour})`);
  return group;
}

export function nameElement(name: string, size: number): SVGTextElement {
  const lines = name.split("\n").map((line, at) => {
    const part = svg("tspan", { x: 0, y: size / 2 + NAME_GAP_PX + ASCENT_PX + LINE_PX * at });
    part.textContent = line;
    return part;
  });
  return svg("text", { class: styles.name }, ...lines);
}

export interface EdgeMarks {
  id: string;
  /** An edge of the graph, which can be selected. */
  isEdge: boolean;
  hasHead: boolean;
  isFaint: boolean;
}

export function edgeElement({ id, isEdge, hasHead, isFaint }: EdgeMarks): SVGGElement {
  const parts = [svg("path", { class: styles.line })];
  if (isEdge) parts.unshift(svg("path", { class: styles.hit }));
  return svg(
    "g", { class: styles.edge, "data-edge": isEdge ? id : undefined, "data-tie": !isEdge, "data-faint": isFaint },
    ...parts, ...(hasHead ? [svg("polygon", { class: styles.head })] : []),
  );
}

export function setCurve(edge: SVGGElement, { path, head }: Curve): void {
  for (const line of edge.querySelectorAll("path")) line.setAttribute("d", path);
  edge.querySelector("polygon")?.setAttribute("points", head);
}

export function moveTo(element: SVGElement, { x, y }: Point | Disc): void {
  element.setAttribute("transform", `translate(${x} ${y})`);
}

export function wordsElement(words: string, { x, y }: Point, angle: number): SVGTextElement {
  const element = svg("text", { class: styles.words, transform: `translate(${Math.round(x)} ${Math.round(y)}) rotate(${Math.round(angle)})` });
  element.textContent = words;
  return element;
}

/** Sets a mark that the style sheet reads, or takes it away. */
export function mark(element: Element, name: string, isSet: boolean): void {
  element.toggleAttribute(`data-${name}`, isSet);
}
