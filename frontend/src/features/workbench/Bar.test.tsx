import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { barLayout, barTotal, ScoreBar } from "./Bar";
import { EQUAL_WEIGHTS } from "@/lib/weights/simplex";

const scores = (relevance: number, novelty: number, surprise: number) => ({ relevance, novelty, surprise, mutual_information: 1 - novelty });
const WEIGHTS = { relevance: 0.65, novelty: 0.2, surprise: 0.15 };

it("marks a negative total to the left of the zero line", () => {
  const bar = scores(-0.9, 0.5, 0.4);
  const layout = barLayout(bar, WEIGHTS);
  expect(barTotal(bar, WEIGHTS)).toBeLessThan(0);
  expect(layout.total).toBeLessThan(layout.zero);
  expect(layout.total - layout.zero).toBeCloseTo(100 * barTotal(bar, WEIGHTS));
});

it("draws relevance, which is never above 0, to the left of the zero line and the rest to its right", () => {
  const layout = barLayout(scores(-0.5, 0.8, 0.4), EQUAL_WEIGHTS);
  const { zero } = layout;
  expect(layout.relevance).toEqual([expect.closeTo(zero / 2), zero]);
  expect(layout.novelty[0]).toBe(zero);
  expect(layout.surprise[0]).toBe(layout.novelty[1]);
});

it("draws nothing for a relevance of 0", () => {
  const { container } = render(<ScoreBar bar={scores(0, 1, 0.2)} weights={EQUAL_WEIGHTS} />);
  expect(container.querySelector("[data-part=relevance]")).toHaveStyle({ width: "0%" });
});
