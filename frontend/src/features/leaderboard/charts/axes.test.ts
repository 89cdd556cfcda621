import { expect, test } from "vitest";
import { decadeTicks, linearTicks } from "./axes";

test("axes have round numbers", () => {
  expect(linearTicks(50, 100)).toEqual([50, 60, 70, 80, 90, 100]);
  expect(linearTicks(0.1, 0.32)).toEqual([0.1, 0.15, 0.2, 0.25, 0.3]);
  expect(linearTicks(3, 3)).toEqual([3]);
  expect(decadeTicks([0.1, 0, 9.5])).toEqual([0.1, 1, 10]);
  expect(decadeTicks([0])).toEqual([1, 10]);
  expect(decadeTicks([1e9])).toEqual([1e9, 1e10]);
  expect(decadeTicks([0.001, 1e9])).toEqual([0.001, 0.1, 10, 1000, 1e5, 1e7, 1e9]);
  expect(decadeTicks([8e9, 4.05e11])).toEqual([1e9, 1e10, 1e11, 1e12]);
});

test("an axis is finite and short for the least and the largest number", () => {
  for (const values of [[5e-324, 1e9], [5e-324], [1.7e308], [0, 1e300]]) {
    const ticks = decadeTicks(values);
    expect(ticks.length).toBeLessThanOrEqual(8);
    expect(ticks.every((tick) => tick > 0 && Number.isFinite(tick))).toBe(true);
  }
});
