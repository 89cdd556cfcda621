import { describe, expect, it } from "vitest";
import { makeUser } from "@/test/visit";
import { landingPageFor, canOpen, navigationFor, safeRedirectPath } from "./permissions";

const expert = makeUser();
const coordinator = makeUser({ studies: [{ id: "study-1", name: "Pain", roles: ["coordinator"] }] });
const both = makeUser({ studies: [{ id: "study-1", name: "Pain", roles: ["coordinator", "expert"] }] });
const administrator = makeUser({ studies: [], roles: { researcher: false, administrator: true, coordinator: false } });
const researcher = makeUser({ studies: [], roles: { researcher: true, administrator: false, coordinator: false } });

const labels = (person: Parameters<typeof navigationFor>[0]) => navigationFor(person).map(({ label }) => label);

describe("the navigation", () => {
  it("offers each person only what they may open", () => {
    expect(labels(null)).toEqual(["Explore", "Benchmarks", "Releases", "Leaderboard"]);
    expect(labels(undefined)).toEqual(["Explore", "Benchmarks", "Releases", "Leaderboard"]);
    expect(labels(expert)).toEqual(["My batches", "Explore", "Benchmarks", "Releases", "Leaderboard"]);
    expect(labels(coordinator)).toEqual(["Studies", "Explore", "Benchmarks", "Releases", "Leaderboard"]);
    expect(labels(both)).toEqual(["My batches", "Studies", "Explore", "Benchmarks", "Releases", "Leaderboard"]);
    expect(labels(administrator)).toEqual(["Studies", "Submissions", "People", "Endpoints", "Explore", "Benchmarks", "Releases", "Leaderboard"]);
    expect(labels(researcher)).toEqual(["Submissions", "Explore", "Benchmarks", "Releases", "Leaderboard"]);
  });

  it("opens the people's page to administrators alone", () => {
    expect([expert, coordinator, researcher].some((one) => canOpen(one, "administrator"))).toBe(false);
    expect(canOpen(administrator, "administrator")).toBe(true);
  });
});

describe("where a person's work is", () => {
  it.each([
    ["an expert", expert, "/home"],
    ["an expert who coordinates", both, "/home"],
    ["a coordinator of one study", coordinator, "/studies/study-1"],
    ["an administrator", administrator, "/studies"],
    ["a researcher", researcher, "/submissions"],
  ])("is, for %s, where their roles are", (_, person, path) => {
    expect(landingPageFor(person).path).toBe(path);
  });
});

describe("a path to go on to", () => {
  it.each(["/home", "/rank/a?review=1", "/invite"])("may be %s", (path) => {
    expect(safeRedirectPath(path)).toBe(path);
  });

  it.each([null, "", "home", "//evil.example", "/\\evil.example", "https://evil.example/", "javascript:alert(1)"])(
    "may not be %s",
    (path) => {
      expect(safeRedirectPath(path)).toBeNull();
    },
  );
});
