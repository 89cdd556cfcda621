import { expect, it } from "vitest";
import { formatParameters, maskMethodLabel, metricInSentence, orderReleases } from "./labels";

it("puts the main release first, then open ones, and deprecated ones last", () => {
  const releases = [
    { slug: "draft", state: "draft" },
    { slug: "past", state: "deprecated" },
    { slug: "small", state: "open" },
    { slug: "closed", state: "closed" },
    { slug: "large", state: "open" },
  ] as const;
  const ordered = (main: string | undefined) => orderReleases([...releases], main).map(({ slug }) => slug);
  expect(ordered("large")).toEqual(["large", "small", "draft", "closed", "past"]);
  expect(ordered("closed")).toEqual(["closed", "small", "large", "draft", "past"]);
  expect(ordered(undefined)).toEqual(["small", "large", "draft", "closed", "past"]);
});

it("names what masks a graph as within a sentence", () => {
  expect(["expert", "llm", "rns", "surroundings", "other"].map(maskMethodLabel)).toEqual(["experts", "language models", "RNS", "surroundings of the questions", "other"]);
});

it("leaves names with a capital inside as they are within a sentence", () => {
  const labels = ["Accuracy", "Hit rate", "MRR", "SerenHit", "TypeMatch, share", "Recall@20", "F1"];
  expect(labels.map((label) => metricInSentence({ label }))).toEqual(["accuracy", "hit rate", "MRR", "SerenHit", "TypeMatch, share", "recall@20", "F1"]);
});

it("writes the size of a model in the largest unit that it reaches", () => {
  expect([350_000, 70_600_000_000, 1_000_000_000_000, 1_800_000_000_000].map(formatParameters)).toEqual(["0.35 million", "70.6 billion", "1 trillion", "1.8 trillion"]);
});
