import { describe, expect, it } from "vitest";
import { rankingPayload } from "@/test/offline/fakeServer";
import "@/study-kinds/registry";
import { backoffMs } from "./syncTiming";
import { applyQueuedWrites } from "./optimisticResponse";
import { countChanges, enqueue, isAlreadySaved, type NewWrite } from "./outbox";
import { isSamePayload } from "./payloadComparison";
import type { QueuedWrite } from "./types";

const AB = [["a"], ["b"]];
const BA = [["b"], ["a"]];

function incoming(id: string, more: Partial<NewWrite["write"]> = {}): NewWrite {
  return {
    account: "expert",
    id,
    resource: "q1",
    batch: "b",
    kind: "ranking",
    interface: "rank-1",
    pageId: "page",
    queuedAt: "2026-01-01T00:00:00Z",
    changes: 1,
    write: { version: 3, action: "save", outcome: "", payload: rankingPayload(AB), active_ms: 10, ...more },
  };
}

const queueOf = (...all: NewWrite[]) => all.reduce<QueuedWrite[]>(enqueue, []);

describe("what waits for one response", () => {
  it("takes a new key whenever its content changes", () => {
    expect(queueOf(incoming("one")).map(({ idempotencyKey }) => idempotencyKey)).toEqual(["one"]);
    expect(queueOf(incoming("one"), incoming("two")).map(({ idempotencyKey }) => idempotencyKey)).toEqual(["two"]);
  });

  it("keeps the version that the first change was based on, and the time of all", () => {
    const [item] = queueOf(incoming("one"), incoming("two", { version: 2 }));
    expect(item?.write).toMatchObject({ version: 3, active_ms: 20 });
  });

  it("stays in the order in which it was made, even when the clock was set back", () => {
    const late = incoming("one", { action: "submit", outcome: "changed" });
    const early = { ...incoming("two"), queuedAt: "2020-01-01T00:00:00Z" };
    const [first, second] = queueOf(late, early);
    expect(second?.order).toBeGreaterThan(first?.order ?? Infinity);
  });

  it("is not merged into while it is on its way", () => {
    const [first] = queueOf(incoming("one"));
    if (!first) throw new Error("Nothing was queued.");
    const after = enqueue([{ ...first, isSent: true }], incoming("two"));
    expect(after.map(({ id, idempotencyKey }) => [id, idempotencyKey])).toEqual([["one", "one"], ["two", "two"]]);
  });

  it("counts changes, of which typing on is none", () => {
    expect(countChanges(queueOf(incoming("one"), { ...incoming("two"), changes: 0 }, incoming("three")))).toBe(2);
  });
});

describe("what the page shows while writes wait", () => {
  const response = {
    version: 3,
    status: "untouched" as const,
    outcome: "",
    payload: rankingPayload(AB),
    active_ms: 5,
    updated_at: null,
    submitted: null,
  };

  it("is the result that the server will answer", () => {
    const changed = incoming("one", { payload: rankingPayload(BA) });
    expect(applyQueuedWrites(response, queueOf(changed))).toMatchObject({ status: "draft", payload: { ranking: BA }, active_ms: 15 });
    expect(applyQueuedWrites(response, queueOf(incoming("one")))).toMatchObject({ status: "untouched" });
    const agreed = incoming("two", { action: "submit", outcome: "confirmed" });
    expect(applyQueuedWrites(response, queueOf(agreed))).toMatchObject({
      status: "submitted",
      outcome: "confirmed",
      submitted: { number: 1, outcome: "confirmed" },
    });
    const skipped = incoming("three", { action: "skip" });
    expect(applyQueuedWrites(response, queueOf(skipped))).toMatchObject({ status: "skipped", submitted: { outcome: "skipped" } });
  });

  it("is nothing to send again where the server has it", () => {
    const [saved] = queueOf(incoming("one", { version: 2 }));
    const [agreed] = queueOf(incoming("two", { version: 2, action: "submit", outcome: "confirmed" }));
    if (!saved || !agreed) throw new Error("Nothing was queued.");
    expect(isAlreadySaved(saved, response)).toBe(true);
    expect(isAlreadySaved(agreed, response)).toBe(false);
    expect(isAlreadySaved(agreed, { ...response, status: "submitted", outcome: "confirmed" })).toBe(true);
  });
});

describe("a declared conflict of interest", () => {
  const skip = { version: 2, action: "skip" as const };

  it("is not on the server because a skip is", () => {
    const [skipped] = queueOf(incoming("one", skip));
    const [declared] = queueOf(incoming("two", { ...skip, conflict: "My own paper." }));
    if (!skipped || !declared) throw new Error("Nothing was queued.");
    const current = { version: 3, status: "skipped" as const, outcome: "skipped", payload: rankingPayload(AB), active_ms: 5, updated_at: null, submitted: null };
    expect(isAlreadySaved(skipped, current)).toBe(true);
    expect(isAlreadySaved(declared, current)).toBe(false);
  });

  it("has only text that a database can hold", () => {
    const [declared] = queueOf(incoming("one", { ...skip, conflict: "Mine\0" }));
    expect(declared?.write.conflict).toBe("Mine\uFFFD");
  });
});

describe("payloads", () => {
  it("are compared by the kind, which knows what has no order", () => {
    const tied = rankingPayload([["a", "b"]], { reasons: ["well_known", "new_to_me"] });
    const same = rankingPayload([["b", "a"]], { reasons: ["new_to_me", "well_known"] });
    expect(isSamePayload("ranking", tied, same)).toBe(true);
    expect(isSamePayload("ranking", tied, rankingPayload([["a"], ["b"]]))).toBe(false);
  });

  it("of a kind without a comparison are compared by structure", () => {
    expect(isSamePayload("other", { a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] })).toBe(true);
    expect(isSamePayload("other", { a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(isSamePayload("other", { a: [] }, { a: {} })).toBe(false);
  });
});

describe("waiting before the next try", () => {
  it("doubles from one second, stops at thirty, and is never the same for all", () => {
    expect([1, 2, 3, 4, 5, 9].map((failures) => backoffMs(failures, 0))).toEqual([1000, 2000, 4000, 8000, 15000, 15000]);
    expect(backoffMs(9, 1)).toBe(30_000);
    expect(backoffMs(1, 0.5)).toBe(1500);
  });
});
