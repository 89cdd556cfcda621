/** How entity types are distinguished: by label first, then by shape and colour. */

export type Shape =
  | "ellipse" | "triangle" | "round-rectangle" | "diamond" | "pentagon" | "hexagon" | "octagon" | "star" | "vee" | "rhomboid";

/** Names of tokens: each has a value for light, dark and forced colours. */
type StyleColour = "accent" | "relevance" | "surprise" | "novelty" | "warn" | "bad" | "muted" | "ink";

export interface TypeStyle {
  shape: Shape;
  colour: StyleColour;
}

const KNOWN_TYPES: [RegExp, TypeStyle][] = [
  [/class/i, { shape: "hexagon", colour: "accent" }],
  [/drug|compound|chemical|medicine/i, { shape: "ellipse", colour: "accent" }],
  [/metabolite|molecule/i, { shape: "rhomboid", colour: "novelty" }],
  [/side.?effect/i, { shape: "vee", colour: "muted" }],
  [/disease|disorder/i, { shape: "triangle", colour: "surprise" }],
  [/phenotype|symptom|effect/i, { shape: "star", colour: "bad" }],
  [/complex/i, { shape: "octagon", colour: "relevance" }],
  [/gene/i, { shape: "diamond", colour: "relevance" }],
  [/protein/i, { shape: "round-rectangle", colour: "relevance" }],
  [/pathway/i, { shape: "pentagon", colour: "warn" }],
  [/process|function/i, { shape: "octagon", colour: "warn" }],
  [/anatomy|tissue|component|cell/i, { shape: "pentagon", colour: "ink" }],
];

const FALLBACK_STYLES: TypeStyle[] = [
  { shape: "hexagon", colour: "ink" },
  { shape: "diamond", colour: "warn" },
  { shape: "rhomboid", colour: "ink" },
  { shape: "round-rectangle", colour: "novelty" },
  { shape: "octagon", colour: "muted" },
];

const SHAPES: Shape[] = [
  "triangle", "diamond", "star", "round-rectangle", "vee", "rhomboid", "pentagon", "hexagon", "ellipse", "octagon",
];
const COLOURS: StyleColour[] = ["ink", "warn", "novelty", "accent", "surprise", "relevance", "bad", "muted"];
const ALL_STYLES: TypeStyle[] = COLOURS.flatMap((colour) => SHAPES.map((shape) => ({ shape, colour })));

/** How a type would look if it stood alone; beside others another may have it already. */
export function typeStyle(type: string): TypeStyle {
  return knownStyle(type) ?? (FALLBACK_STYLES[hashName(type) % FALLBACK_STYLES.length] as TypeStyle);
}

export type TypeStyles = (type: string) => TypeStyle;

/**
 * The looks of one graph: each of its types has one of its own, as far as there are looks.
 * The order of the types does not matter, so that a graph looks the same on every page.
 */
export function typeStyles(types: readonly string[]): TypeStyles {
  const taken = new Set<string>();
  const looks = new Map<string, TypeStyle>();
  const take = (type: string, look: TypeStyle | undefined) => {
    if (!look || taken.has(styleKey(look))) return;
    taken.add(styleKey(look));
    looks.set(type, look);
  };
  const ordered = [...new Set(types)].toSorted();
  const rest = () => ordered.filter((type) => !looks.has(type));
  // First whoever has a look by its name, then those that come too late for theirs.
  for (const type of ordered) take(type, knownStyle(type));
  for (const type of rest()) take(type, typeStyle(type));
  const free = (type: string) => fallbackStyles(type).find((look) => !taken.has(styleKey(look)));
  for (const type of rest()) take(type, free(type));
  return (type) => looks.get(type) ?? free(type) ?? typeStyle(type);
}

function knownStyle(type: string): TypeStyle | undefined {
  return KNOWN_TYPES.find(([pattern]) => pattern.test(type))?.[1];
}

/** Every look, its own first, then those of its colour: kin stay kin. */
function fallbackStyles(type: string): TypeStyle[] {
  const own = typeStyle(type);
  const { colour } = own;
  return [own, ...ALL_STYLES.filter((look) => look.colour === colour), ...ALL_STYLES.filter((look) => look.colour !== colour)];
}

function styleKey({ shape, colour }: TypeStyle): string {
  return `${shape} ${colour}`;
}

function hashName(type: string): number {
  let sum = 0;
  for (const character of type) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return sum;
}

type Point = [number, number];

/** Corners of a regular polygon in a circle of radius 1, the first one on top. */
function regularPolygon(sides: number, turn = 0): Point[] {
  return Array.from({ length: sides }, (_, side): Point => {
    const angle = (2 * Math.PI * side) / sides - Math.PI / 2 + turn;
    return [Math.cos(angle), Math.sin(angle)];
  });
}

function star(): Point[] {
  const outer = regularPolygon(5);
  const inner = regularPolygon(5, Math.PI / 5).map(([x, y]): Point => [x * 0.45, y * 0.45]);
  return outer.flatMap((point, at): Point[] => [point, inner[at] as Point]);
}

const SHAPE_POINTS: Record<Exclude<Shape, "ellipse">, Point[]> = {
  triangle: [[0, -1], [1, 1], [-1, 1]],
  "round-rectangle": [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  diamond: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  pentagon: regularPolygon(5),
  hexagon: regularPolygon(6, Math.PI / 6),
  octagon: regularPolygon(8, Math.PI / 8),
  star: star(),
  vee: [[-1, -1], [0, -0.4], [1, -1], [0, 1]],
  rhomboid: [[-1, -0.8], [0.35, -0.8], [1, 0.8], [-0.35, 0.8]],
};

/** The outline of a shape around a point, as SVG writes it; a circle has none. */
export function shapePoints(shape: Shape, radius: number, x = 0, y = 0): string | null {
  if (shape === "ellipse") return null;
  const at = ([px, py]: Point) => `${roundCoordinate(x + px * radius)},${roundCoordinate(y + py * radius)}`;
  return SHAPE_POINTS[shape].map(at).join(" ");
}

function roundCoordinate(value: number): number {
  return Math.round(value * 100) / 100;
}
