import { describe, expect, it } from "vitest";
import { seededNumbers } from "@/test/seededNumbers";
import {
  cornerOf,
  EQUAL_WEIGHTS,
  SCORE_PARTS,
  pointOf,
  parseWeights,
  roundWeights,
  shiftWeight,
  weightsAt,
  withPart,
  formatWeights,
  type Weights,
} from "./simplex";

const sumOf = (weights: Weights) => SCORE_PARTS.reduce((sum, part) => sum + weights[part], 0);

describe("the weights", () => {
  it("stay on the simplex whatever is done to them", () => {
    const next = seededNumbers(7);
    let weights = EQUAL_WEIGHTS;
    for (let at = 0; at < 2000; at += 1) {
      const [one, other] = [SCORE_PARTS[Math.floor(next() * 3)]!, SCORE_PARTS[Math.floor(next() * 3)]!];
      const ways = [
        () => withPart(weights, one, next() * 1.4 - 0.2),
        () => shiftWeight(weights, one, other, next()),
        () => weightsAt({ x: next() * 3 - 1, y: next() * 3 - 1 }),
        () => roundWeights(weights),
      ];
      weights = ways[Math.floor(next() * 4)]!();
      expect(sumOf(weights)).toBeCloseTo(1, 12);
      for (const part of SCORE_PARTS) expect(weights[part]).toBeGreaterThanOrEqual(0);
    }
  });

  it("are the same after a way through the triangle and through an address", () => {
    const weights = { relevance: 0.2, novelty: 0.3, surprise: 0.5 };
    for (const part of SCORE_PARTS) {
      expect(weightsAt(pointOf(weights))[part]).toBeCloseTo(weights[part], 12);
      expect(parseWeights(formatWeights(EQUAL_WEIGHTS))?.[part]).toBeCloseTo(1 / 3, 6);
    }
    expect(parseWeights(formatWeights(weights))).toEqual(weights);
  });

  it.each(["", "1", "1,2,3", "a,b,c", "0.5,0.7,-0.2", "NaN,0,1", "1,0,0,0"])("are not read from %j", (text) => {
    expect(parseWeights(text)).toBeNull();
  });

  it("keep the share of the other two when one is set", () => {
    const { relevance, novelty, surprise } = withPart({ relevance: 0.2, novelty: 0.2, surprise: 0.6 }, "relevance", 0.6);
    expect([relevance, novelty, surprise].map((value) => value.toFixed(6))).toEqual(["0.600000", "0.100000", "0.300000"]);
    expect(withPart(cornerOf("surprise"), "surprise", 0.5)).toEqual({ relevance: 0.25, novelty: 0.25, surprise: 0.5 });
  });

  it("share what is left evenly where steps of a tenth left only dust of the other two", () => {
    let weights = cornerOf("surprise");
    for (let at = 0; at < 10; at += 1) weights = withPart(weights, "surprise", weights.surprise - 0.1);
    for (let at = 0; at < 10; at += 1) weights = shiftWeight(weights, "novelty", "relevance", 0.1);
    const { novelty, surprise } = withPart(weights, "relevance", 0.5);
    expect([novelty, surprise].map((value) => value.toFixed(6))).toEqual(["0.250000", "0.250000"]);
  });

  it.each([
    ["left of all", { x: -5, y: 0.866 }, "relevance"],
    ["far to the right", { x: 5, y: 2 }, "novelty"],
    ["above all", { x: 0.5, y: -4 }, "surprise"],
  ] as const)("of a point %s are those of the nearest corner", (_, point, part) => {
    for (const one of SCORE_PARTS) expect(weightsAt(point)[one]).toBeCloseTo(one === part ? 1 : 0, 9);
  });

  it("sum to exactly 1 in whole grains", () => {
    for (const part of SCORE_PARTS) expect(Math.round(roundWeights(EQUAL_WEIGHTS)[part] * 200)).toBeGreaterThanOrEqual(66);
    expect(SCORE_PARTS.reduce((sum, part) => sum + Math.round(roundWeights(EQUAL_WEIGHTS)[part] * 200), 0)).toBe(200);
  });
});
