import type { GraphSchema } from "../api";

type EdgeKind = GraphSchema["edge_kinds"][number];

export interface TypeCircle {
  name: string;
  count: number;
  x: number;
  y: number;
  radius: number;
}

export interface TypeLink {
  one: TypeCircle;
  other: TypeCircle;
  /** Edges of all relations between the two, either way. */
  count: number;
  relations: string[];
}

const SMALLEST = 8;
const LARGEST = 30;

/** Kinds with this type at either end; all for an empty one. */
export function kindsOfType(kinds: EdgeKind[], type: string): EdgeKind[] {
  return type ? kinds.filter(({ source, target }) => source === type || target === type) : kinds;
}

/** Types with edges on a circle, in the order of their counts, with areas by the logarithm of the counts. */
export function placeTypes({ types, edge_kinds: kinds }: GraphSchema, width: number, height: number): TypeCircle[] {
  const joined = new Set(kinds.flatMap(({ source, target }) => [source, target]));
  const shown = types.filter(({ name }) => joined.has(name)).toSorted((one, other) => other.count - one.count);
  const most = Math.log1p(Math.max(1, ...shown.map(({ count }) => count)));
  const [rx, ry] = [width / 2 - 110, height / 2 - 50];
  return shown.map(({ name, count }, at) => {
    const angle = (2 * Math.PI * at) / shown.length - Math.PI / 2;
    const radius = SMALLEST + (LARGEST - SMALLEST) * (Math.log1p(count) / most);
    return { name, count, radius, x: width / 2 + rx * Math.cos(angle), y: height / 2 + ry * Math.sin(angle) };
  });
}

/** One line between two types, whatever the relations and their directions; a type with edges to itself has one too. */
export function linkTypes(kinds: EdgeKind[], circles: TypeCircle[]): TypeLink[] {
  const places = new Map(circles.map((circle) => [circle.name, circle]));
  const links = new Map<string, TypeLink>();
  for (const { source, relation, target, count } of kinds) {
    const [one, other] = [places.get(source), places.get(target)];
    if (!one || !other) continue;
    const key = [source, target].toSorted().join("\n");
    const link = links.get(key) ?? { one, other, count: 0, relations: [] };
    link.count += count;
    if (!link.relations.includes(relation)) link.relations.push(relation);
    links.set(key, link);
  }
  return [...links.values()].toSorted((a, b) => a.count - b.count);
}
