import { describe, expect, it } from "vitest";
import { seededNumbers } from "@/test/seededNumbers";
import { EQUAL_WEIGHTS, pointOf, weightsAt, type Point, type Weights } from "./simplex";
import { winningRegions, splitTotal, winningSplit, type Region, type Splits } from "./winningSplits";

/** As the score gives them: R of 0 or less, N almost constant, S small. */
function some(count: number, seed: number): Splits {
  const next = seededNumbers(seed);
  const list = (make: () => number) => Array.from({ length: count }, make);
  return {
    relevance: list(() => -next()),
    novelty: list(() => 1 - next() * 2e-5),
    surprise: list(() => next() * 0.2),
    gain: 1e-12,
  };
}

const someWeights = (next: () => number): Weights => {
  const [a, b] = [next(), next()].toSorted((one, other) => one - other) as [number, number];
  return { relevance: a, novelty: b - a, surprise: 1 - b };
};

/** How far inside a convex polygon a point is; negative outside. */
function depth({ corners }: Region, { x, y }: Point): number {
  const middle = corners.reduce((sum, one) => ({ x: sum.x + one.x / corners.length, y: sum.y + one.y / corners.length }), { x: 0, y: 0 });
  return Math.min(
    ...corners.map((one, at) => {
      const next = corners[(at + 1) % corners.length] as Point;
      const side = (p: Point) => ((next.x - one.x) * (p.y - one.y) - (next.y - one.y) * (p.x - one.x)) / Math.hypot(next.x - one.x, next.y - one.y);
      return side({ x, y }) * Math.sign(side(middle));
    }),
  );
}

/** The same splits, and how often one of their numbers was read. */
function counted(splits: Splits): { splits: Splits; reads: () => number } {
  let reads = 0;
  const watched = (values: number[]) => new Proxy(values, {
    get(target, name, receiver): unknown {
      if (typeof name === "string" && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const { relevance, novelty, surprise } = splits;
  return { splits: { ...splits, relevance: watched(relevance), novelty: watched(novelty), surprise: watched(surprise) }, reads: () => reads };
}

describe("the winner for some weights", () => {
  it("is what a plain search finds, in splits of every size", () => {
    for (const count of [2, 5, 60, 5000]) {
      const splits = some(count, count);
      const next = seededNumbers(count + 1);
      for (let draw = 0; draw < 20; draw += 1) {
        const weights = someWeights(next);
        const totals = splits.relevance.map((r, at) => weights.relevance * r + weights.novelty * splits.novelty[at]! + weights.surprise * splits.surprise[at]!);
        const best = Math.max(...totals);
        expect(winningSplit(splits, weights)).toBe(totals.findIndex((total) => total >= best - 1e-12));
      }
    }
  });

  it("is the first in the list where totals are equal within the gain", () => {
    const splits = { relevance: [-0.5, -0.5 + 5e-13, -0.4], novelty: [1, 1, 1], surprise: [0.1, 0.1, 0], gain: 1e-12 };
    expect(winningSplit(splits, { relevance: 0, novelty: 1, surprise: 0 })).toBe(0);
    expect(winningSplit(splits, { relevance: 0.1, novelty: 0, surprise: 0.9 })).toBe(0);
    expect(winningSplit(splits, { relevance: 1, novelty: 0, surprise: 0 })).toBe(2);
  });

  it("has a total that is the weighted sum", () => {
    const splits = { relevance: [-0.3], novelty: [0.9], surprise: [0.6], gain: 1e-12 };
    expect(splitTotal(splits, 0, EQUAL_WEIGHTS)).toBeCloseTo(0.4, 12);
  });
});

describe("the map", () => {
  it.each([2, 5, 40, 400])("agrees with the winner everywhere, with %i splits", (count) => {
    const splits = some(count, 11 * count);
    const regions = winningRegions(splits);
    expect(regions.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6);
    const next = seededNumbers(count);
    for (let draw = 0; draw < 300; draw += 1) {
      const weights = someWeights(next);
      const point = pointOf(weights);
      const inside = regions.filter((region) => depth(region, point) > 1e-6);
      if (inside.length > 0) expect(inside.map(({ split }) => split)).toEqual([winningSplit(splits, weights)]);
    }
  });

  it("gives each region a middle where its split wins", () => {
    const splits = some(60, 5);
    for (const { middle, split } of winningRegions(splits)) expect(winningSplit(splits, weightsAt(middle))).toBe(split);
  });

  it("gives equal splits to the first of them alone", () => {
    const splits = { relevance: [-0.2, -0.2, -0.1], novelty: [1, 1, 1], surprise: [0.4, 0.4, 0.1], gain: 1e-12 };
    expect(winningRegions(splits).map(({ split }) => split).toSorted()).toEqual([0, 2]);
  });

  it("knows the shares of a map that can be reckoned by hand", () => {
    // The first wins where surprise counts more than relevance: half of the triangle.
    const splits = { relevance: [-1, 0], novelty: [1, 1], surprise: [1, 0], gain: 1e-12 };
    expect(winningRegions(splits).map(({ share }) => share.toFixed(9))).toEqual(["0.500000000", "0.500000000"]);
  });

  it("of 5,000 splits is found by looking at each as often as at each of 500, not at each pair", () => {
    const perSplit = [500, 5000].map((count) => {
      const looked = counted(some(count, 3));
      expect(winningRegions(looked.splits).length).toBeGreaterThan(1);
      return looked.reads() / count;
    });
    expect(perSplit[1]).toBeLessThan(3 * perSplit[0]!);
  });

  it("is not needed under a moving hand: a choice reads each number twice", () => {
    const looked = counted(some(5000, 3));
    winningSplit(looked.splits, { relevance: 0.2, novelty: 0.3, surprise: 0.5 });
    expect(looked.reads()).toBeLessThanOrEqual(2 * 3 * 5000);
  });
});
