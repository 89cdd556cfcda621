import { describe, expect, it } from "vitest";
import { byImportance, splitRelations } from "./relationOrder";
import { makeRelation } from "./testing";

const side = (phrase: string, count = 9) => makeRelation({ relation: phrase, phrase, count });
const phrases = (all: { phrase: string }[]) => all.map(({ phrase }) => phrase);

describe("the order of relations", () => {
  it("begins with treatments, then targets, then causes", () => {
    const all = ["belongs to the class", "can cause, as a side effect,", "is contraindicated in", "blocks or inhibits", "treats"].map((phrase) => side(phrase));
    expect(phrases(byImportance(all))).toEqual([
      "treats", "blocks or inhibits", "can cause, as a side effect,", "belongs to the class", "is contraindicated in",
    ]);
  });

  it("puts more of the same importance first", () => {
    expect(phrases(byImportance([side("binds", 2), side("inhibits", 7)]))).toEqual(["inhibits", "binds"]);
  });

  it("lists three that matter and what has two rows at most, and draws bars for the rest", () => {
    const all = [side("treats"), side("inhibits"), side("activates"), side("can cause"), side("resembles"), side("has the part", 2)];
    const { lists, bars } = splitRelations(all);
    expect(phrases(lists)).toEqual(["treats", "activates", "inhibits", "has the part"]);
    expect(phrases(bars)).toEqual(["can cause", "resembles"]);
  });
});
