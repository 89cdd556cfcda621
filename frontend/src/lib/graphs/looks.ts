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

const SHAPES: Shape[] = [
  "triangle", "diamond", "star", "round-rectangle", "vee", "rhomboid", "pentagon", "hexagon", "ellipse", "octagon",
];
const INKS: Ink[] = ["ink", "warn", "novelty", "accent", "surprise", "relevance", "bad", "muted"];
const ALL: Look[] = INKS.flatMap((ink) => SHAPES.map((shape) => ({ shape, ink })));

/** How a type would look if it stood alone; beside others another may have it already. */
export function lookOf(type: string): Look {
  return knownLook(type) ?? (OTHERS[sumOf(type) % OTHERS.length] as Look);
}

export type Looks = (type: string) => Look;

/**
 * The looks of one graph: each of its types has one of its own, as far as there are looks.
 * The order of the types does not matter, so that a graph looks the same on every page.
 */
export function looksOf(types: readonly string[]): Looks {
  const taken = new Set<string>();
  const looks = new Map<string, Look>();
  const take = (type: string, look: Look | undefined) => {
    if (!look || taken.has(nameOf(look))) return;
    taken.add(nameOf(look));
    looks.set(type, look);
  };
  const ordered = [...new Set(types)].toSorted();
  const rest = () => ordered.filter((type) => !looks.has(type));
  // First whoever has a look by its name, then those that come too late for theirs.
  for (const type of ordered) take(type, knownLook(type));
  for (const type of rest()) take(type, lookOf(type));
  const free = (type: string) => others(type).find((look) => !taken.has(nameOf(look)));
  for (const type of rest()) take(type, free(type));
  return (type) => looks.get(type) ?? free(type) ?? lookOf(type);
}

function knownLook(type: string): Look | undefined {
  return KNOWN.find(([pattern]) => pattern.test(type))?.[1];
}

/** Every look, its own first, then those of its colour: kin stay kin. */
function others(type: string): Look[] {
  const own = lookOf(type);
  const { ink } = own;
  return [own, ...ALL.filter((look) => look.ink === ink), ...ALL.filter((look) => look.ink !== ink)];
}

function nameOf({ shape, ink }: Look): string {
  return `${shape} ${ink}`;
}

function sumOf(type: string): number {
  let sum = 0;
  for (const letter of type) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return sum;
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
