import { describe, expect, it } from "vitest";
import type { Assignment, ResponseStatus } from "@/api/contract";
import { firstOpen, nextAfter, nextOpenAfter, estimateTimeLeftMs } from "./progress";

type Result = "untouched" | "draft" | "confirmed" | "changed" | "not_sure" | "skipped";

const STATUSES: Partial<Record<Result, ResponseStatus>> = { untouched: "untouched", draft: "draft", skipped: "skipped" };

function batch(results: Result[], activeMs = 1000): Assignment[] {
  return results.map((result, index) => {
    const status = STATUSES[result] ?? "submitted";
    const isOpen = status === "untouched" || status === "draft";
    const outcome = isOpen ? "" : result;
    return {
      id: `id-${index + 1}`,
      item: { id: "", file_id: "", number: index + 1, text: "", category: "", resources: [] },
      response: {
        version: 1,
        status,
        outcome,
        payload: {},
        active_ms: activeMs,
        updated_at: null,
        submitted: isOpen ? null : { number: 1, outcome, submitted_at: "2026-01-01T00:00:00Z" },
      },
    };
  });
}

const number = (assignment: Assignment | undefined) => assignment?.item.number;
const from = (results: Result[], at: number, way: typeof nextAfter) => {
  const assignments = batch(results);
  const current = assignments[at - 1];
  if (!current) throw new Error(`There is no question ${at}.`);
  return number(way(assignments, current));
};

describe("where a batch goes on", () => {
  it("is its first open question, and a skipped one only when no other is left", () => {
    expect(number(firstOpen(batch(["skipped", "confirmed", "draft", "untouched"])))).toBe(3);
    expect(number(firstOpen(batch(["confirmed", "skipped", "not_sure"])))).toBe(2);
    expect(firstOpen(batch(["confirmed", "changed", "not_sure"]))).toBeUndefined();
  });

  it("does not depend on the order in which the server lists it", () => {
    expect(number(firstOpen(batch(["confirmed", "untouched", "untouched"]).toReversed()))).toBe(2);
  });
});

describe("what comes next", () => {
  it("is the next open one by number, then what was left out before it", () => {
    expect(from(["untouched", "untouched", "confirmed", "untouched"], 2, nextAfter)).toBe(4);
    expect(from(["untouched", "confirmed", "confirmed", "untouched"], 4, nextAfter)).toBe(1);
  });

  it("asks the skipped ones last, each once more", () => {
    expect(from(["skipped", "skipped", "untouched"], 3, nextAfter)).toBe(1);
    expect(from(["skipped", "skipped", "confirmed"], 1, nextAfter)).toBe(2);
    expect(from(["skipped", "skipped", "confirmed"], 2, nextAfter)).toBeUndefined();
  });

  it("is the end after the last answer, whichever number that was", () => {
    expect(from(["confirmed", "untouched", "changed"], 2, nextOpenAfter)).toBeUndefined();
    expect(from(["confirmed", "skipped", "changed"], 2, nextOpenAfter)).toBeUndefined();
  });

  it("is the next by number in a review", () => {
    expect(from(["confirmed", "not_sure", "changed"], 1, nextOpenAfter)).toBe(2);
    expect(from(["confirmed", "not_sure", "changed"], 3, nextOpenAfter)).toBeUndefined();
  });

  it("is what is left, also from an answer that was opened again", () => {
    expect(from(["confirmed", "confirmed", "untouched"], 1, nextOpenAfter)).toBe(3);
  });
});

describe("the time left", () => {
  it("is not guessed from fewer than three answers", () => {
    expect(estimateTimeLeftMs(batch(["confirmed", "changed", "untouched"]))).toBeNull();
  });

  it("is the median time for every question without an answer, skipped ones too", () => {
    expect(estimateTimeLeftMs(batch(["confirmed", "changed", "not_sure", "skipped", "untouched"], 45_000))).toBe(90_000);
  });
});
