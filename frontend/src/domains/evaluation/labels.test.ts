import { expect, it } from "vitest";
import { maskMethodLabel, orderReleases } from "./labels";

it("puts the release of the experts' partition first, and deprecated ones last", () => {
  const releases = [
    { slug: "newest", partition: "rns", state: "open" },
    { slug: "older", partition: "", state: "open" },
    { slug: "past", partition: "expert", state: "deprecated" },
    { slug: "experts", partition: "expert", state: "closed" },
    { slug: "models", partition: "llm", state: "open" },
    { slug: "first experts", partition: "expert", state: "open" },
  ] as const;
  expect(orderReleases([...releases]).map(({ slug }) => slug)).toEqual(["experts", "first experts", "models", "newest", "older", "past"]);
});

it("leaves releases of a track without partitions in their order", () => {
  const releases = ["b", "a", "c"].map((slug) => ({ slug, partition: "", state: "open" as const }));
  expect(orderReleases(releases)).toEqual(releases);
});

it("names what masks a graph as within a sentence", () => {
  expect(["expert", "llm", "rns", "surroundings", "other"].map(maskMethodLabel)).toEqual(["experts", "language models", "RNS", "surroundings of the questions", "other"]);
});
