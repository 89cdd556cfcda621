import { expect, it } from "vitest";
import { CANDIDATES, makeCandidate } from "./fixtures";
import { firstByRns, weightCells, weightShares } from "./weightings";

it("divides all weights among the candidates that RNS puts first somewhere", () => {
  const shares = weightShares(CANDIDATES);
  // Where twice the weight of surprise exceeds that of relevance: two thirds of the triangle.
  expect(shares.get("Ibuprofen")).toBeCloseTo(2 / 3, 1);
  expect(shares.get("Oxycodone")).toBeCloseTo(1 / 3, 1);
  expect(shares.get("Suzetrigine")).toBe(0);
  expect([...shares.values()].reduce((sum, share) => sum + share)).toBeCloseTo(1);
});

it("compares at equal weights for the one that is first", () => {
  expect(firstByRns(CANDIDATES)).toBe("Ibuprofen");
});

it("fills the triangle, with relevance left and surprise right", () => {
  const cells = weightCells([makeCandidate("near", 1, -0.1, 0.1), makeCandidate("far", 2, -0.5, 0.5)], 3);
  const bottom = cells.filter(({ row, isDown }) => row === 2 && !isDown);
  expect(cells).toHaveLength(9);
  expect(bottom.map(({ winner }) => winner)).toEqual(["near", "near", "far"]);
});
