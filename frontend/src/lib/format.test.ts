import { describe, expect, it } from "vitest";
import { formatBytes, formatCoefficient, formatCount, formatDateTime, formatDuration, formatExpectedDate, formatInSentence, formatOrdinal, formatPercent, formatPlural, formatTimeLeft } from "./format";

const S = 1000;
const MIN = 60 * S;

describe("numbers", () => {
  it("carry their unit and their sign", () => {
    expect(formatCount(1647)).toBe("1,647");
    expect(formatPlural(1, "entry", "entries")).toBe("1 entry");
    expect(formatPlural(0, "draft")).toBe("0 drafts");
    expect(formatPercent(0.444)).toBe("44%");
    expect(formatCoefficient(-0.5)).toBe("\u22120.50");
    expect(formatCoefficient(-0.001)).toBe("0.00");
    expect(formatBytes(999)).toBe("999 B");
    expect(formatBytes(1_530_000)).toBe("1.5 MB");
  });
});

it("a place among others is said as one says it", () => {
  expect([1, 2, 3, 4, 11, 21, 112].map(formatOrdinal)).toEqual(["1st", "2nd", "3rd", "4th", "11th", "21st", "112th"]);
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
    expect(formatDuration(ms)).toBe(words);
  });

  it("that is left is a guess and says so", () => {
    expect(formatTimeLeft(20 * S)).toBe("less than a minute left");
    expect(formatTimeLeft(48 * MIN)).toBe("about 48 min left");
    expect(formatTimeLeft(97 * MIN)).toBe("about 1 h 35 min left");
    expect(formatTimeLeft(119 * MIN)).toBe("about 2 h left");
  });
});

describe("a day", () => {
  const now = new Date(2026, 10, 21, 23, 30);
  const on = (day: number) => new Date(2026, 10, day, 0, 30).toISOString();

  it("is as coarse as the guess behind it", () => {
    expect(formatExpectedDate(on(21), now)).toBe("today");
    expect(formatExpectedDate(on(22), now)).toBe("tomorrow");
    expect(formatExpectedDate(on(26), now)).toBe("Thursday");
    expect(formatExpectedDate(on(30), now)).toBe("30 Nov");
  });

  it("is named only when it is not today", () => {
    expect(formatDateTime(on(21), now)).toBe("00:30");
    expect(formatDateTime(on(20), now)).toBe("20 Nov, 00:30");
  });
});

it("begins a label small inside a sentence, but for the word I", () => {
  expect(["Another reason", "I do not know these candidates", "It is outside my field", ""].map(formatInSentence))
    .toEqual(["another reason", "I do not know these candidates", "it is outside my field", ""]);
});
