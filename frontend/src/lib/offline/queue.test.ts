import { describe, expect, it } from "vitest";
import { person } from "@/test/offline/fakeServer";
import { backoffMs } from "./backoff";
import { changesIn, enqueue, joinEvents, overlay, type Incoming, type QueuedWrite } from "./queue";

const event = (id: string, kind: "moved" | "comment" | "opened", old = "", next = "") => ({
  id,
  kind,
  old,
  new: next,
  at: "2026-01-01T00:00:00Z",
});

function incoming(id: string, more: Partial<Incoming["write"]> = {}): Incoming {
  return {
    account: person("her").id,
    id,
    assignment: "q1",
    batch: "b",
    page: "page",
    queuedAt: "2026-01-01T00:00:00Z",
    write: {
      version: 3,
      action: "save",
      ranking: [["a"], ["b"]],
      confidence: null,
      reasons: [],
      comment: "",
      unsure_reason: "",
      active_ms: 10,
      events: [event(id, "moved")],
      interface: "rank-1",
      ...more,
    },
  };
}

const queueOf = (...all: Incoming[]) => all.reduce<QueuedWrite[]>(enqueue, []);

describe("what waits for one response", () => {
  it("takes a new key whenever its content changes", () => {
    expect(queueOf(incoming("one")).map(({ key }) => key)).toEqual(["one"]);
    expect(queueOf(incoming("one"), incoming("two")).map(({ key }) => key)).toEqual(["two"]);
  });

  it("keeps the version that she started from", () => {
    expect(queueOf(incoming("one"), incoming("two", { version: 2 }))[0]?.write.version).toBe(3);
  });

  it("stays in the order in which it was made, even when the clock was set back", () => {
    const late = incoming("one", { action: "submit" });
    const early = { ...incoming("two"), queuedAt: "2020-01-01T00:00:00Z" };
    const [first, second] = queueOf(late, early);
    expect(second?.order).toBeGreaterThan(first?.order ?? Infinity);
  });

  it("is not folded into while it is on its way", () => {
    const [first] = queueOf(incoming("one"));
    if (!first) throw new Error("Nothing was queued.");
    const after = enqueue([{ ...first, sent: true }], incoming("two"));
    expect(after.map(({ id, key }) => [id, key])).toEqual([["one", "one"], ["two", "two"]]);
  });

  it("has no reason for being unsure once an order is submitted", () => {
    const [item] = queueOf(incoming("one", { action: "submit", unsure_reason: "too_close" }));
    expect(item?.write.unsure_reason).toBe("");
  });

  it("counts what she changed, not what she looked at", () => {
    const looked = incoming("two", { events: [event("x", "opened")] });
    expect(changesIn(queueOf(incoming("one"), looked))).toBe(1);
  });
});

describe("events", () => {
  it("are one where a comment is typed letter by letter", () => {
    const typed = joinEvents([event("1", "comment", "", "a")], [event("2", "comment", "a", "ab")]);
    expect(typed).toEqual([event("2", "comment", "", "ab")]);
  });

  it("stay apart where something lies between", () => {
    const before = [event("1", "comment", "", "a"), event("2", "moved")];
    expect(joinEvents(before, [event("3", "comment", "a", "ab")])).toHaveLength(3);
  });
});

describe("what the page shows while writes wait", () => {
  const server = {
    version: 3,
    state: "untouched" as const,
    ranking: [["a"], ["b"]],
    confidence: null,
    reasons: [],
    comment: "",
    unsure_reason: "" as const,
    active_ms: 5,
    updated_at: null,
    submitted: null,
  };

  it("is the state that the server will say", () => {
    const changed = incoming("one", { ranking: [["b"], ["a"]] });
    expect(overlay(server, queueOf(changed))).toMatchObject({ state: "draft", ranking: [["b"], ["a"]], active_ms: 15 });
    expect(overlay(server, queueOf(incoming("one")))).toMatchObject({ state: "untouched" });
    const agreed = incoming("two", { action: "agree" });
    expect(overlay(server, queueOf(agreed))).toMatchObject({ state: "confirmed", submitted: { number: 1 } });
  });
});

describe("waiting before the next try", () => {
  it("doubles from one second, stops at thirty, and is never the same for all", () => {
    expect([1, 2, 3, 4, 5, 9].map((failures) => backoffMs(failures, 0))).toEqual([1000, 2000, 4000, 8000, 15000, 15000]);
    expect(backoffMs(9, 1)).toBe(30_000);
    expect(backoffMs(1, 0.5)).toBe(1500);
  });
});
