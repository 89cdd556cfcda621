/** How a type of entity is told apart: by its label first, then by a shape and a colour. */

export type Shape =
  | "ellipse"
  | "triangle"
  | "round-rectangle"
  | "diamond"
  | "pentagon"
  | "hexagon"
  | "octagon"
  | "star"
  | "vee"
  | "rhomboid";

/** Names of tokens: each has a value for light, dark and forced colours. */
export type Ink = "accent" | "relevance" | "surprise" | "novelty" | "warn" | "bad" | "muted" | "ink";

export interface Look {
  shape: Shape;
  ink: Ink;
}

const KNOWN: [RegExp, Look][] = [
  [/class/i, { shape: "hexagon", ink: "accent" }],
  [/drug|compound|chemical|medicine/i, { shape: "ellipse", ink: "accent" }],
  [/metabolite|molecule/i, { shape: "rhomboid", ink: "novelty" }],
  [/side.?effect/i, { shape: "vee", ink: "muted" }],
  [/disease|disorder/i, { shape: "triangle", ink: "surprise" }],
  [/phenotype|symptom|effect/i, { shape: "star", ink: "bad" }],
  [/complex/i, { shape: "octagon", ink: "relevance" }],
  [/gene/i, { shape: "diamond", ink: "relevance" }],
  [/protein/i, { shape: "round-rectangle", ink: "relevance" }],
  [/pathway/i, { shape: "pentagon", ink: "warn" }],
  [/process|function/i, { shape: "octagon", ink: "warn" }],
  [/anatomy|tissue|component|cell/i, { shape: "pentagon", ink: "ink" }],
];

const OTHERS: Look[] = [
  { shape: "hexagon", ink: "ink" },
  { shape: "diamond", ink: "warn" },
  { shape: "rhomboid", ink: "ink" },
  { shape: "round-rectangle", ink: "novelty" },
  { shape: "octagon", ink: "muted" },
];

/** The same type looks the same on every page and in every graph. */
export function lookOf(type: string): Look {
  const known = KNOWN.find(([pattern]) => pattern.test(type));
  if (known) return known[1];
  let sum = 0;
  for (const letter of type) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return OTHERS[sum % OTHERS.length] as Look;
}

type Point = [number, number];

/** Corners of a regular polygon in a circle of radius 1, the first one on top. */
function regular(sides: number, turn = 0): Point[] {
  return Array.from({ length: sides }, (_, side): Point => {
    const angle = (2 * Math.PI * side) / sides - Math.PI / 2 + turn;
    return [Math.cos(angle), Math.sin(angle)];
  });
}

function star(): Point[] {
  const outer = regular(5);
  const inner = regular(5, Math.PI / 5).map(([x, y]): Point => [x * 0.45, y * 0.45]);
  return outer.flatMap((point, at): Point[] => [point, inner[at] as Point]);
}

const CORNERS: Record<Exclude<Shape, "ellipse">, Point[]> = {
  triangle: [[0, -1], [1, 1], [-1, 1]],
  "round-rectangle": [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  diamond: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  pentagon: regular(5),
  hexagon: regular(6, Math.PI / 6),
  octagon: regular(8, Math.PI / 8),
  star: star(),
  vee: [[-1, -1], [0, -0.4], [1, -1], [0, 1]],
  rhomboid: [[-1, -0.8], [0.35, -0.8], [1, 0.8], [-0.35, 0.8]],
};

/** The outline of a shape around a point, as SVG writes it; a circle has none. */
export function corners(shape: Shape, radius: number, x = 0, y = 0): string | null {
  if (shape === "ellipse") return null;
  const at = ([px, py]: Point) => `${round(x + px * radius)},${round(y + py * radius)}`;
  return CORNERS[shape].map(at).join(" ");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
