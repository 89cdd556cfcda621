import { describe, expect, it } from "vitest";
import { kindLabel, weightLabel } from "./pathWords";

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
