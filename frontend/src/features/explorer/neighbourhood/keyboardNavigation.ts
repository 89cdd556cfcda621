/** Walking the picture by keyboard: around the neighbours of where one stands, by their angle. */
import type { NodePositions } from "@/domains/graphs/drawing/picture";
import { neighbourLinks, type Scene } from "./scene";

/** The neighbours of a node, clockwise from the top; at one angle, the nearer first. */
export function neighboursClockwise(scene: Scene, places: NodePositions, centre: string): string[] {
  const at = places[centre] ?? { x: 0, y: 0 };
  const ids = [...new Set(neighbourLinks(scene, centre).map(({ other }) => other))].filter((id) => id !== centre);
  const turn = (id: string) => {
    const { x, y } = places[id] ?? at;
    return (Math.atan2(x - at.x, at.y - y) + 2 * Math.PI) % (2 * Math.PI);
  };
  const distance = (id: string) => {
    const { x, y } = places[id] ?? at;
    return Math.hypot(x - at.x, y - at.y);
  };
  return ids.toSorted((a, b) => turn(a) - turn(b) || distance(a) - distance(b) || a.localeCompare(b));
}

/** The next of them in one direction; from the centre itself, the first or the last. */
export function nextInRing(ring: string[], from: string, step: 1 | -1): string | undefined {
  const at = ring.indexOf(from);
  if (at < 0) return step > 0 ? ring[0] : ring.at(-1);
  return ring[(at + step + ring.length) % ring.length];
}
