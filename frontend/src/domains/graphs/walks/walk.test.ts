import { describe, expect, it } from "vitest";
import { typeStyle } from "@/domains/graphs/typeStyles";
import { describeEntity, frameAt, MOST_DRAWN, type Walk, type WalkEntity, type WalkOffer } from "./walk";
import { walkLayout } from "./walkLayout";

const entity = (id: string): WalkEntity => ({ id, name: `name of ${id}`, type: "Drug" });
const offer = (source: string | null, target: string, isChosen = false): WalkOffer => ({ source: source === null ? null : entity(source), phrase: "treats", target: entity(target), isChosen });
const GUIDED: Walk = {
  root: entity("r"),
  hits: new Set(["b"]),
  steps: [
    { frontier: [entity("r")], rest: 0, offered: [offer("r", "a", true), offer("r", "x")] },
    { frontier: [entity("a")], rest: 0, offered: [offer("a", "b", true), offer("a", "y")] },
  ],
};
const marksOf = (walk: Walk, level: number) => Object.fromEntries(frameAt(walk, level, typeStyle).picture.nodes.map((node) => [node.id, node.kind === "entity" ? node.mark : node.rest]));

describe("the drawing of a level", () => {
  it("has what the level offered, and of earlier levels what was chosen", () => {
    expect(marksOf(GUIDED, 0)).toEqual({ r: "frontier" });
    expect(marksOf(GUIDED, 1)).toEqual({ r: "frontier", a: "chosen", x: "offered" });
    expect(marksOf(GUIDED, 2)).toEqual({ r: "chosen", a: "frontier", b: "hit", y: "offered" });
  });

  it("names a hit in words, and only where it was chosen", () => {
    const [node] = frameAt(GUIDED, 2, typeStyle).picture.nodes.filter(({ id }) => id === "b");
    expect(node).toMatchObject({ name: "name of b, hit" });
    const offered = { ...GUIDED, hits: new Set(["x"]) };
    expect(marksOf(offered, 1)).toMatchObject({ x: "offered" });
  });

  it("draws so many offered entities, and counts the others at where they hang", () => {
    const many = Array.from({ length: MOST_DRAWN + 5 }, (_, at) => offer("r", `o${at}`));
    const { picture } = frameAt({ ...GUIDED, steps: [{ frontier: [entity("r")], rest: 7, offered: many }] }, 1, typeStyle);
    expect(picture.nodes.filter(({ kind }) => kind === "entity")).toHaveLength(1 + MOST_DRAWN);
    expect(picture.nodes.at(-1)).toEqual({ kind: "more", id: "rest:r", rest: 12 });
    expect(picture.edgesByNode).toEqual([{ id: "tie rest:r", source: "r", target: "rest:r" }]);
  });

  it("joins what a search and a path offered, also where the middle of the path was not chosen", () => {
    const session: Walk = {
      root: null, hits: new Set(),
      steps: [
        { frontier: [], rest: 0, offered: [offer(null, "a", true), offer(null, "z")] },
        { frontier: [entity("a")], rest: 0, offered: [offer("a", "m"), offer("m", "b", true)] },
        { frontier: [entity("b")], rest: 0, offered: [] },
      ],
    };
    const { picture, columns } = frameAt(session, 3, typeStyle);
    expect(columns.map(({ walked }) => walked)).toEqual([["a"], ["m"], ["b"]]);
    expect(picture.edges.map(({ source, target }) => [source, target])).toEqual([["a", "m"], ["m", "b"]]);
    expect(picture.focus).toBe("b");
  });
});

describe("where the nodes stand", () => {
  it.each([false, true])("no two share a place, and those of the walk stay in theirs (narrow: %s)", (isNarrow) => {
    const [first, second] = [1, 2].map((level) => walkLayout(frameAt(GUIDED, level, typeStyle).columns, isNarrow));
    for (const places of [first, second]) {
      const texts = Object.values(places ?? {}).map(({ x, y }) => `${x} ${y}`);
      expect(new Set(texts).size).toBe(texts.length);
    }
    expect(second?.a).toEqual(isNarrow ? { x: 0, y: first?.a?.y } : { x: first?.a?.x, y: 0 });
    expect(second?.r).toEqual(first?.r);
  });
});

describe("an entity in words", () => {
  it("has how it was reached, and what became of it", () => {
    expect(describeEntity(GUIDED, 2, "b", "level")).toBe("name of b, Drug: offered at level 2 by name of a treats. Chosen, and a hit.");
    expect(describeEntity(GUIDED, 2, "x", "level")).toBe("name of x, Drug: offered at level 1 by name of r treats. Not chosen.");
    expect(describeEntity(GUIDED, 1, "b", "level")).toBe("");
    expect(describeEntity(GUIDED, 1, "r", "level")).toBe("name of r, Drug: the walk starts here.");
  });
});
