import { describe, expect, it } from "vitest";
import { somebody } from "@/test/visit";
import { landingFor, mayOpen, placesFor, safePath } from "./access";

const expert = somebody();
const coordinator = somebody({ studies: [{ id: "study-1", name: "Pain", roles: ["coordinator"] }] });
const both = somebody({ studies: [{ id: "study-1", name: "Pain", roles: ["coordinator", "expert"] }] });
const administrator = somebody({ studies: [], roles: { researcher: false, administrator: true } });
const researcher = somebody({ studies: [], roles: { researcher: true, administrator: false } });

const labels = (person: Parameters<typeof placesFor>[0]) => placesFor(person).map(({ label }) => label);

describe("the navigation", () => {
  it("offers each person only what she may open", () => {
    expect(labels(null)).toEqual(["Explore", "Benchmarks", "Leaderboard"]);
    expect(labels(undefined)).toEqual(["Explore", "Benchmarks", "Leaderboard"]);
    expect(labels(expert)).toEqual(["My batches", "Explore", "Benchmarks", "Leaderboard"]);
    expect(labels(coordinator)).toEqual(["Studies", "Explore", "Benchmarks", "Leaderboard"]);
    expect(labels(both)).toEqual(["My batches", "Studies", "Explore", "Benchmarks", "Leaderboard"]);
    expect(labels(administrator)).toEqual(["Studies", "People", "Explore", "Benchmarks", "Leaderboard"]);
    expect(labels(researcher)).toEqual(["Explore", "Benchmarks", "Leaderboard"]);
  });

  it("opens the people's page to administrators alone", () => {
    expect([expert, coordinator, researcher].some((one) => mayOpen(one, "administrator"))).toBe(false);
    expect(mayOpen(administrator, "administrator")).toBe(true);
  });
});

describe("where a person's work is", () => {
  it.each([
    ["an expert", expert, "/home"],
    ["an expert who coordinates", both, "/home"],
    ["a coordinator of one study", coordinator, "/studies/study-1"],
    ["an administrator", administrator, "/studies"],
    ["a researcher", researcher, "/leaderboard"],
  ])("is, for %s, where her roles are", (_, person, path) => {
    expect(landingFor(person).to).toBe(path);
  });
});

describe("a path to go on to", () => {
  it.each(["/home", "/rank/a?review=1", "/invite"])("may be %s", (path) => {
    expect(safePath(path)).toBe(path);
  });

  it.each([null, "", "home", "//evil.example", "/\\evil.example", "https://evil.example/", "javascript:alert(1)"])(
    "may not be %s",
    (path) => {
      expect(safePath(path)).toBeNull();
    },
  );
});
