import { describe, expect, it } from "vitest";
import { arrowBox, labelGroups, placeWords, type Box } from "./edgeLabels";

const LINE = { from: { x: 0, y: 0 }, to: { x: 300, y: 0 }, width: 80 };
const box = (x: number, y: number, width: number, height: number): Box => ({ x1: x, y1: y, x2: x + width, y2: y + height });

describe("the words of an edge", () => {
  it("stand in the middle where nothing is in the way", () => {
    expect(placeWords(LINE, [], [])?.share).toBe(0.5);
  });

  it("move along the line, away from a name", () => {
    const name = box(170, -20, 100, 30);
    const placed = placeWords(LINE, [name], []);
    expect(placed?.share).toBeLessThan(0.5);
    expect(placed?.covered.every(({ x, y }) => x < name.x1 || x > name.x2 || y < name.y1 || y > name.y2)).toBe(true);
  });

  it("are left out where a name is all along the line", () => {
    expect(placeWords(LINE, [box(0, -5, 300, 10)], [])).toBeNull();
    expect(placeWords({ ...LINE, width: 400 }, [box(-60, -10, 500, 20)], [])).toBeNull();
  });

  it("follow a line that leans, and see a name beside it only where it is", () => {
    const leaning = { from: { x: 0, y: 0 }, to: { x: 200, y: 200 }, width: 80 };
    expect(placeWords(leaning, [box(100, 0, 90, 60)], [])?.share).toBe(0.5);
    expect(placeWords(leaning, [box(70, 100, 60, 40)], [])?.share).not.toBe(0.5);
  });

  it("keep apart from other words", () => {
    const crossing = { from: { x: 150, y: -150 }, to: { x: 150, y: 150 }, width: 80 };
    const first = placeWords(LINE, [], []);
    const second = placeWords(crossing, [], first?.covered ?? []);
    expect(second?.share).not.toBe(0.5);
    const apart = second?.covered.map(({ x, y }) => Math.min(...(first?.covered ?? []).map((one) => Math.hypot(one.x - x, one.y - y))));
    expect(Math.min(...(apart ?? []))).toBeGreaterThanOrEqual(9);
  });
});

describe("the head of an arrow", () => {
  it("is kept free, at the rim of the node that it points to", () => {
    const short = { from: { x: 0, y: 0 }, to: { x: 120, y: 0 }, width: 80 };
    expect(placeWords(short, [], [])?.share).toBe(0.5);
    const head = arrowBox(short, 20);
    expect(head.x1).toBeLessThan(110);
    expect(head.x2).toBeGreaterThan(105);
    const placed = placeWords({ ...short, width: 100 }, [head], []);
    expect(placed?.covered.every(({ x }) => x < head.x1)).toBe(true);
  });
});

describe("edges with the same words", () => {
  it("have them each where they are few, once where they are many", () => {
    const [few, many] = [["a", "b", "c"], ["d", "e", "f", "g", "h"]];
    expect(labelGroups([few!, many!])).toEqual([few, many, ["a"], ["b"], ["c"]]);
  });
});
