import { describe, expect, it } from "vitest";
import { triangleCorners, type Corner } from "./triangle";

const distance = (one: Corner, other: Corner) => Math.hypot(one.x - other.x, one.y - other.y);

function sides(correlations: [number, number, number]): number[] {
  const corners = triangleCorners(correlations, 320, 250);
  if (!corners) throw new Error("no triangle");
  for (const { x, y } of corners) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x).toBeLessThanOrEqual(320);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThanOrEqual(250);
  }
  const [a, b, c] = corners;
  return [distance(a, b), distance(a, c), distance(b, c)];
}

describe("the triangle of three correlations", () => {
  it("has equal sides for equal correlations", () => {
    const [one = 0, two = 0, three = 0] = sides([0.9, 0.9, 0.9]);
    expect(two).toBeCloseTo(one, 6);
    expect(three).toBeCloseTo(one, 6);
  });

  it("has the shorter side for the stronger correlation", () => {
    const [one = 0, two = 0, three = 0] = sides([0.8978, 0.8705, 0.9903]);
    expect(three).toBeLessThan(one);
    expect(one).toBeLessThan(two);
  });

  it("closes at the extremes", () => {
    const [one = 0, two = 0, three = 0] = sides([1, 1, -1]);
    expect(three / one).toBeCloseTo(1 / 0.55, 6);
    expect(two).toBeCloseTo(one, 6);
  });

  it("is not drawn where a correlation is missing", () => {
    expect(triangleCorners([0.5, null, 0.5], 320, 250)).toBeNull();
    expect(triangleCorners([0.5], 320, 250)).toBeNull();
  });
});
