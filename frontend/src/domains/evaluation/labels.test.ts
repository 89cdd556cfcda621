import { expect, it } from "vitest";
import { maskMethodLabel, orderReleases } from "./labels";

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
