/** A point on an axis of a radar: the first points up, the others follow clockwise. */
export function radarPoint(axis: number, axes: number, distance: number, centre: { x: number; y: number }): { x: number; y: number } {
  const angle = (2 * Math.PI * axis) / axes - Math.PI / 2;
  return { x: centre.x + distance * Math.cos(angle), y: centre.y + distance * Math.sin(angle) };
}
