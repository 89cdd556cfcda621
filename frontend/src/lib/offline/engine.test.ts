import { describe, expect, it, vi } from "vitest";
import { type Fault } from "@/test/offline/fakeServer";
import { eventOf, FakePage, QUICK } from "@/test/offline/page";
import { faults, ids, ONE, open, pages, phase, sent, server, THREE, TWO } from "@/test/offline/scene";
import { overlay } from "./answer";
import { openKept } from "./database";

describe("what she does reaches the server", () => {
  it("folds what waits into one write with every event and all the time", async () => {
    const page = await open();
    faults("down");
    await page.change("q1", ONE);
    await page.change("q1", TWO);
    await page.change("q1", THREE, "submit");
    await sent(page);
    const { told, events, revisions } = server.of("q1");
    expect(told).toMatchObject({ ranking: THREE, state: "changed", active_ms: 300 });
    expect(ids(events)).toEqual(ids(page.told.get("q1") ?? []));
    expect(revisions).toHaveLength(1);
  });

  it("never folds a submission into a later save", async () => {
    const page = await open();
    server.signOut();
    await page.change("q1", ONE, "submit");
    await page.change("q1", TWO);
    server.signIn("her");
    await page.engine.sendNow();
    await sent(page);
    expect(server.of("q1").revisions).toEqual([{ action: "submit", ranking: ONE }]);
    expect(server.of("q1").told).toMatchObject({ state: "draft", ranking: TWO });
  });

  it("starts from the version that its last write made, before the page has drawn it", async () => {
    const page = await open();
    await page.change("q1", ONE);
    await sent(page);
    page.versions.clear();
    await page.change("q1", TWO);
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, version: 2 });
  });

  it("splits more than 500 events over several writes", async () => {
    const page = await open();
    const events = Array.from({ length: 1201 }, () => eventOf("moved"));
    await page.change("q1", ONE, "submit", { events });
    await sent(page);
    expect(ids(server.of("q1").events)).toEqual(ids(events));
    expect(server.of("q1").revisions).toHaveLength(1);
    expect(Math.max(...server.attempts.map(({ write }) => write.events.length))).toBe(500);
  });

  it("cuts an event short that the server would refuse for its size, and keeps text storable", async () => {
    const page = await open();
    const event = { ...eventOf("comment"), new: `\u0000${"x".repeat(20_000)}` };
    await page.change("q1", ONE, "save", { events: [event], comment: "half \ud83d of a pair" });
    await sent(page);
    expect(server.of("q1").told.comment).toBe("half \ufffd of a pair");
    expect(server.of("q1").events[0]?.new).toMatchObject({ length: 20_003 });
  });
});

describe("what the page shows", () => {
  it.each(["the tab that sends", "another tab"])("never steps back to what was there before, in %s", async (where) => {
    const page = await open();
    const shown = where === "another tab" ? await open() : page;
    let saved = server.of("q1").told;
    const seen: string[] = [];
    const look = () => {
      const waiting = shown.engine.state.queue.filter(({ assignment }) => assignment === "q1");
      seen.push(JSON.stringify(overlay(saved, waiting).ranking));
    };
    shown.engine.listen(({ response }) => (saved = response ?? saved));
    shown.engine.watch(look);
    await page.change("q1", ONE);
    await vi.waitFor(() => expect(saved.version).toBe(1));
    await vi.waitFor(() => expect(shown.engine.state.savedAt).not.toBeNull());
    const first = seen.indexOf(JSON.stringify(ONE));
    expect(first).toBeGreaterThanOrEqual(0);
    expect(new Set(seen.slice(first))).toEqual(new Set([JSON.stringify(ONE)]));
  });
});

describe("a network that fails", () => {
  it.each<Fault>(["lost", "cut", "late broken"])("repeats a write whose answer was %s under the same key", async (fault) => {
    const page = await open();
    faults(fault, fault);
    await page.change("q1", ONE, "submit");
    await sent(page);
    expect(new Set(server.attempts.map(({ key }) => key)).size).toBe(1);
    expect(server.attempts).toHaveLength(3);
    expect(server.of("q1").revisions).toHaveLength(1);
  });

  it("keeps the key over a closed tab, and does not fold into what may have arrived", async () => {
    const page = await open();
    server.fault = (path) => (path.endsWith("/response") ? "lost" : "none");
    await page.change("q1", ONE, "submit");
    await phase(page, "retrying");
    page.engine.stop();
    server.forgetPages();
    const key = server.attempts[0]?.key;
    faults();
    const next = await open();
    await next.change("q1", TWO);
    await sent(next);
    expect(server.attempts.filter(({ key: other }) => other === key).length).toBeGreaterThan(1);
    expect(server.of("q1").revisions).toEqual([{ action: "submit", ranking: ONE }]);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, state: "draft", version: 2, active_ms: 200 });
  });

  it("gives up on a server that holds still, and asks again", async () => {
    const page = new FakePage(await openKept(), "her", { ...QUICK, answerMs: 20 });
    pages.push(page);
    let stuck = true;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      if (!stuck || !path.endsWith("/response")) return server.fetch(path, init);
      stuck = false;
      return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(new TypeError("aborted"))));
    });
    await page.change("q1", ONE);
    await sent(page);
    expect(server.of("q1").told.ranking).toEqual(ONE);
  });

  it("does not let one write that breaks the server keep the others waiting", async () => {
    const page = await open();
    server.fault = (path) => (path.includes("/q1/") ? "broken" : "none");
    await page.change("q1", ONE);
    await page.change("q2", TWO);
    await vi.waitFor(() => expect(server.of("q2").told.ranking).toEqual(TWO));
    await vi.waitFor(() => expect(page.engine.state.queue.map(({ assignment }) => assignment)).toEqual(["q1"]));
    faults();
    await sent(page);
  });
});

describe("where it is kept", () => {
  it("is kept on the device before it counts as kept", async () => {
    server.fault = () => "down";
    const page = await open();
    await page.change("q1", ONE);
    const writes = await (await openKept()).writes("her");
    expect(writes.map(({ write }) => write.ranking)).toEqual([ONE]);
  });

  it("says so where the browser has no place to keep it, and sends all the same", async () => {
    vi.stubGlobal("indexedDB", undefined);
    const page = await open();
    expect(page.engine.state.durable).toBe(false);
    await page.change("q1", ONE);
    await sent(page);
    expect(server.of("q1").told.ranking).toEqual(ONE);
  });

  it("goes on in memory when the disk is full, without losing what waits", async () => {
    server.fault = () => "down";
    const disk = await openKept();
    let isFull = false;
    const kept = {
      durable: true,
      writes: disk.writes.bind(disk),
      change: (...given: Parameters<typeof disk.change>) =>
        isFull ? Promise.reject(new DOMException("full", "QuotaExceededError")) : disk.change(...given),
      batch: disk.batch.bind(disk),
      batches: disk.batches.bind(disk),
      keepBatch: disk.keepBatch.bind(disk),
      responses: disk.responses.bind(disk),
      saved: disk.saved.bind(disk),
      forget: disk.forget.bind(disk),
    };
    const page = new FakePage(kept);
    pages.push(page);
    await page.change("q1", ONE);
    isFull = true;
    await page.change("q2", TWO);
    expect(page.engine.state).toMatchObject({ durable: false, changes: 2 });
    server.fault = () => "none";
    await page.engine.sendNow();
    await sent(page);
    expect(server.of("q1").told.ranking).toEqual(ONE);
    expect(server.of("q2").told.ranking).toEqual(TWO);
  });

  it("forgets what she could read on sign-out, never what is not sent", async () => {
    server.fault = () => "down";
    const page = await open();
    await page.change("q1", ONE);
    const kept = await openKept();
    const batch = { id: "b", number: 1, name: "", study: { id: "s", name: "", status: "open" as const } };
    await kept.keepBatch({ account: "her", batch: "b", data: { batch, total: 0, assignments: [] } as never });
    await kept.forget("her");
    expect(await kept.batch("her", "b")).toBeNull();
    expect(await kept.writes("her")).toHaveLength(1);
  });
});
