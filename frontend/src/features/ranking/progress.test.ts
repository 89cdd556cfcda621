import { describe, expect, it } from "vitest";
import type { Assignment, State } from "@/api/contract";
import { firstToDo, nextAfter, onwardFrom, timeLeftMs } from "./progress";

function batch(states: State[], activeMs = 1000): Assignment[] {
  return states.map((state, index) => ({
    id: `id-${index + 1}`,
    question: { id: "", file_id: "", number: index + 1, text: "", category: "", resources: [], candidates: [], prior: [] },
    response: {
      version: 1,
      state,
      ranking: [],
      confidence: null,
      reasons: [],
      comment: "",
      unsure_reason: "",
      active_ms: activeMs,
      updated_at: null,
      submitted: state === "untouched" || state === "draft" ? null : { number: 1, state, submitted_at: "2026-01-01T00:00:00Z" },
    },
  }));
}

const number = (assignment: Assignment | undefined) => assignment?.question.number;
const from = (states: State[], at: number, way: typeof nextAfter) => {
  const assignments = batch(states);
  const current = assignments[at - 1];
  if (!current) throw new Error(`There is no question ${at}.`);
  return number(way(assignments, current));
};

describe("where a batch goes on", () => {
  it("is its first open question, and a skipped one only when no other is left", () => {
    expect(number(firstToDo(batch(["skipped", "confirmed", "draft", "untouched"])))).toBe(3);
    expect(number(firstToDo(batch(["confirmed", "skipped", "not_sure"])))).toBe(2);
    expect(firstToDo(batch(["confirmed", "changed", "not_sure"]))).toBeUndefined();
  });

  it("does not depend on the order in which the server lists it", () => {
    expect(number(firstToDo(batch(["confirmed", "untouched", "untouched"]).toReversed()))).toBe(2);
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
    expect(from(["confirmed", "untouched", "changed"], 2, onwardFrom)).toBeUndefined();
    expect(from(["confirmed", "skipped", "changed"], 2, onwardFrom)).toBeUndefined();
  });

  it("is the next by number while she reviews", () => {
    expect(from(["confirmed", "not_sure", "changed"], 1, onwardFrom)).toBe(2);
    expect(from(["confirmed", "not_sure", "changed"], 3, onwardFrom)).toBeUndefined();
  });

  it("is what is left, also from an answer that she went back to", () => {
    expect(from(["confirmed", "confirmed", "untouched"], 1, onwardFrom)).toBe(3);
  });
});

describe("the time left", () => {
  it("is not guessed from fewer than three answers", () => {
    expect(timeLeftMs(batch(["confirmed", "changed", "untouched"]))).toBeNull();
  });

  it("is her median time for every question without an answer, skipped ones too", () => {
    expect(timeLeftMs(batch(["confirmed", "changed", "not_sure", "skipped", "untouched"], 45_000))).toBe(90_000);
  });
});
