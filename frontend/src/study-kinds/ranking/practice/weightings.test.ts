import { expect, it } from "vitest";
import { cornerOf, pointOf } from "@/lib/weights/simplex";
import { CANDIDATES, makeCandidate } from "./fixtures";
import { firstByRns, weightRegions, weightShares } from "./weightings";

it("divides all weights among the candidates that RNS puts first somewhere", () => {
  const shares = weightShares(CANDIDATES);
  // Where twice the weight of surprise exceeds that of relevance: two thirds of the triangle.
  expect(shares.get("Ibuprofen")).toBeCloseTo(2 / 3, 10);
  expect(shares.get("Oxycodone")).toBeCloseTo(1 / 3, 10);
  expect(shares.get("Suzetrigine")).toBe(0);
});

it("compares at equal weights for the one that is first", () => {
  expect(firstByRns(CANDIDATES)).toBe("Ibuprofen");
});

it("draws one straight border, with relevance left and surprise above", () => {
  const regions = weightRegions([makeCandidate("near", 1, -0.1, 0), makeCandidate("far", 2, -1, 0.9)]);
  const corners = (name: string) => regions.find(({ candidate }) => candidate.name === name)?.corners;
  expect(regions).toHaveLength(2);
  expect(corners("near")).toContainEqual(pointOf(cornerOf("relevance")));
  expect(corners("far")).toContainEqual(pointOf(cornerOf("surprise")));
  expect(regions.map(({ corners: { length } }) => length)).toEqual([3, 3]);
});
