import { describe, expect, test } from "vitest";
import {
  moveToIndex,
  flattenRanking,
  isTiedWithAbove,
  moveDown,
  moveToRank,
  moveUp,
  competitionRanks,
  isSameOrder,
  tieWithAbove,
  untie,
  type Ranking,
} from "./rankingModel";

const IDS = ["a", "b", "c", "d", "e"];
const STRICT: Ranking = IDS.map((id) => [id]);

/** A small seeded generator (mulberry32), so that a failing sequence can be played again. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Step = (ranking: Ranking, id: string, place: number) => Ranking;
const STEPS: Step[] = [moveUp, moveDown, moveToIndex, tieWithAbove, untie, (ranking, id, place) => moveToRank(ranking, id, place + 1)];

function played(seed: number, steps: number): Ranking[] {
  const next = chance(seed);
  const known = [STRICT];
  for (let step = 0; step < steps; step += 1) {
    const act = STEPS[next(STEPS.length)] ?? moveUp;
    known.push(act(known.at(-1) ?? STRICT, IDS[next(IDS.length)] ?? "a", next(IDS.length)));
  }
  return known;
}

describe("any sequence of moves", () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed))("keeps every candidate once (seed %i)", (seed) => {
    for (const ranking of played(seed, 40)) {
      expect(flattenRanking(ranking).toSorted()).toEqual(IDS);
      expect(ranking.every((group) => group.length > 0)).toBe(true);
    }
  });

  test.each([1, 2, 3])("never alters the ranking that it starts from (seed %i)", (seed) => {
    const start = JSON.stringify(STRICT);
    played(seed, 40);
    expect(JSON.stringify(STRICT)).toBe(start);
  });
});

describe("one step", () => {
  test("up and down by buttons is the same as a place by key or a drop", () => {
    for (const [index, id] of IDS.entries()) {
      if (index > 0) {
        expect(moveUp(STRICT, id)).toEqual(moveToRank(STRICT, id, index));
        expect(moveUp(STRICT, id)).toEqual(moveToIndex(STRICT, id, index - 1));
      }
      if (index < IDS.length - 1) expect(moveDown(STRICT, id)).toEqual(moveToRank(STRICT, id, index + 2));
    }
  });

  test("a tied card first leaves its tie", () => {
    const tied: Ranking = [["a"], ["b", "c"], ["d"]];
    expect(moveUp(tied, "c")).toEqual([["a"], ["c"], ["b"], ["d"]]);
    expect(moveDown(tied, "b")).toEqual([["a"], ["c"], ["b"], ["d"]]);
  });

  test("a card alone passes a whole tie", () => {
    const tied: Ranking = [["a"], ["b", "c"], ["d"]];
    expect(moveUp(tied, "d")).toEqual([["a"], ["d"], ["b", "c"]]);
    expect(moveDown(tied, "a")).toEqual([["b", "c"], ["a"], ["d"]]);
  });

  test("tying and untying take each other back", () => {
    for (const id of IDS.slice(1)) {
      const tied = tieWithAbove(STRICT, id);
      expect(isTiedWithAbove(tied, id)).toBe(true);
      expect(untie(tied, id)).toEqual(STRICT);
    }
    expect(tieWithAbove(STRICT, "a")).toBe(STRICT);
  });

  test("a place beyond the list is its end", () => {
    expect(flattenRanking(moveToRank(STRICT, "a", 9)).at(-1)).toBe("a");
    expect(flattenRanking(moveToRank(STRICT, "e", 0))[0]).toBe("e");
  });

  test("a candidate that is not there is a mistake of ours, said at once", () => {
    expect(() => moveUp(STRICT, "z")).toThrow(RangeError);
  });
});

test("ranks are competition ranks", () => {
  expect([...competitionRanks([["a"], ["b", "c"], ["d"]])]).toEqual([["a", 1], ["b", 2], ["c", 2], ["d", 4]]);
});

test("the order inside a tie does not count, the order of the groups does", () => {
  expect(isSameOrder([["a", "b"], ["c"]], [["b", "a"], ["c"]])).toBe(true);
  expect(isSameOrder([["a"], ["b"]], [["b"], ["a"]])).toBe(false);
  expect(isSameOrder([["a", "b"]], [["a"], ["b"]])).toBe(false);
});
