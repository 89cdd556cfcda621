import { expect, test } from "vitest";
import { decadeTicks, linearTicks, paretoFront, type ChartPoint } from "./pareto";

const point = (name: string, x: number, score: number): ChartPoint => ({ id: name, name, x, score, low: null, high: null, kind: "evaluated" });
const names = (points: ChartPoint[], lowerIsBetter = false) => paretoFront(points, lowerIsBetter).map(({ name }) => name);

test("an entry is on the front unless another is as cheap and as good, and ahead in one", () => {
  expect(names([point("a", 1, 50), point("b", 2, 60), point("c", 3, 55), point("d", 1, 40), point("e", 5, 60)])).toEqual(["a", "b"]);
});

test("equal entries share the front", () => {
  expect(names([point("a", 1, 50), point("b", 1, 50)])).toEqual(["a", "b"]);
});

test("an entry that costs nothing dominates what is no better", () => {
  expect(names([point("free", 0, 60), point("paid", 1, 60), point("best", 2, 61)])).toEqual(["free", "best"]);
});

test("where lower is better the front is of the lowest", () => {
  expect(names([point("a", 1, 0.5), point("b", 2, 0.4), point("c", 3, 0.45)], true)).toEqual(["a", "b"]);
});

test("a filter that removes an entry brings those that it dominated back", () => {
  const points = [point("a", 1, 60), point("b", 2, 50)];
  expect(names(points)).toEqual(["a"]);
  expect(names(points.slice(1))).toEqual(["b"]);
  expect(names([])).toEqual([]);
});

test("axes have round numbers", () => {
  expect(linearTicks(50, 100)).toEqual([50, 60, 70, 80, 90, 100]);
  expect(linearTicks(0.1, 0.32)).toEqual([0.1, 0.15, 0.2, 0.25, 0.3]);
  expect(linearTicks(3, 3)).toEqual([3]);
  expect(decadeTicks([0.1, 0, 9.5])).toEqual([0.1, 1, 10]);
  expect(decadeTicks([0])).toEqual([1, 10]);
  expect(decadeTicks([1e9])).toEqual([1e9, 1e10]);
  expect(decadeTicks([0.001, 1e9])).toEqual([0.001, 0.1, 10, 1000, 1e5, 1e7, 1e9]);
});

test("an axis is finite and short for the least and the largest number", () => {
  for (const values of [[5e-324, 1e9], [5e-324], [1.7e308], [0, 1e300]]) {
    const ticks = decadeTicks(values);
    expect(ticks.length).toBeLessThanOrEqual(8);
    expect(ticks.every((tick) => tick > 0 && Number.isFinite(tick))).toBe(true);
  }
});
