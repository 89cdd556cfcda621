import { describe, expect, it } from "vitest";
import { kindLabel, weightLabel, weightShare } from "./pathWords";

describe("a kind of path", () => {
  it.each([
    ["Drug/>treats/Disease", "directly"],
    ["Drug/>causes/Side effect/<causes/Drug", "through a shared side effect"],
    ["Gene/=interacts/Gene/=interacts/Gene", "through a shared gene"],
    ["Drug/>causes/Side effect/>of/Disease", "through a side effect"],
    ["Drug/>in/Anatomy/<in/Gene/>of/Disease", "through an anatomy and a gene"],
    ["Drug/>a/Gene/=b/Gene/>c/Disease", "through two of type gene"],
    ["Drug/>a%2Fb/Gene%2Fprotein/<a%2Fb/Drug", "through a shared gene/protein"],
  ])("%s is %s", (key, words) => {
    expect(kindLabel(key)).toBe(words);
  });
});

describe("a weight", () => {
  it.each([
    [0.00758, "one walk in 130"],
    [0.5, "one walk in 2"],
    [8.4e-4, "one walk in 1,200"],
  ])("of %s as a probability is %s", (weight, words) => {
    expect(weightLabel(weight, "probability", 1)).toBe(words);
  });

  it.each([[0.02, "as heavy as the heaviest"], [0.005, "25% of the heaviest"], [0.0001, "under 1% of the heaviest"]])(
    "of %s by degrees is compared with the heaviest", (weight, words) => {
      expect(weightLabel(weight, "degree", 0.02)).toBe(words);
    },
  );
});

describe("the bar of a weight", () => {
  it("is shorter by the same part for each tenth, in any list", () => {
    expect(weightShare(1)).toBe(1);
    const parts = [1 / 10, 1 / 100, 1 / 1000].map((weight) => weightShare(weight));
    expect(parts[0]! - parts[1]!).toBeCloseTo(parts[1]! - parts[2]!);
    expect(weightShare(1 / 7) - weightShare(1 / 180)).toBeGreaterThan(0.2);
  });

  it.each([0, 1e-12])("of %s is empty", (weight) => {
    expect(weightShare(weight)).toBe(0);
  });
});
