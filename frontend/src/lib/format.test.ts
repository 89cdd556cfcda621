import { describe, expect, it } from "vitest";
import { bytes, coefficient, count, duration, expectedDay, moment, ordinal, percent, plural, timeLeft } from "./format";

const S = 1000;
const MIN = 60 * S;

describe("numbers", () => {
  it("carry their unit and their sign", () => {
    expect(count(1647)).toBe("1,647");
    expect(plural(1, "entry", "entries")).toBe("1 entry");
    expect(plural(0, "draft")).toBe("0 drafts");
    expect(percent(0.444)).toBe("44%");
    expect(coefficient(-0.5)).toBe("\u22120.50");
    expect(coefficient(-0.001)).toBe("0.00");
    expect(bytes(999)).toBe("999 B");
    expect(bytes(1_530_000)).toBe("1.5 MB");
  });
});

it("a place among others is said as one says it", () => {
  expect([1, 2, 3, 4, 11, 21, 112].map(ordinal)).toEqual(["1st", "2nd", "3rd", "4th", "11th", "21st", "112th"]);
});

describe("a duration", () => {
  it.each([
    [400, "under 1 s"],
    [41 * S, "41 s"],
    [59.6 * S, "1 min"],
    [125 * S, "2 min 5 s"],
    [48 * MIN, "48 min"],
    [200 * MIN, "3 h 20 min"],
  ])("of %d ms is said in its largest units", (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  it("that is left is a guess and says so", () => {
    expect(timeLeft(20 * S)).toBe("less than a minute left");
    expect(timeLeft(48 * MIN)).toBe("about 48 min left");
    expect(timeLeft(97 * MIN)).toBe("about 1 h 35 min left");
    expect(timeLeft(119 * MIN)).toBe("about 2 h left");
  });
});

describe("a day", () => {
  const now = new Date(2026, 10, 21, 23, 30);
  const on = (day: number) => new Date(2026, 10, day, 0, 30).toISOString();

  it("is as coarse as the guess behind it", () => {
    expect(expectedDay(on(21), now)).toBe("today");
    expect(expectedDay(on(22), now)).toBe("tomorrow");
    expect(expectedDay(on(26), now)).toBe("Thursday");
    expect(expectedDay(on(30), now)).toBe("30 Nov");
  });

  it("is named only when it is not today", () => {
    expect(moment(on(21), now)).toBe("00:30");
    expect(moment(on(20), now)).toBe("20 Nov, 00:30");
  });
});
