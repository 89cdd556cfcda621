import { describe, expect, it, vi } from "vitest";
import { makeEntry, FakePage, FAST_TIMING } from "@/test/offline/fakePage";
import { type FailureMode } from "@/test/offline/fakeServer";
import {
  failNextWrites,
  entryIds,
  ONE,
  openPage,
  pages,
  setUpOfflineHarness,
  waitForPhase,
  waitUntilSent,
  server,
  THREE,
  TWO,
} from "@/test/offline/harness";
import { openStore } from "./openStore";
import { applyQueuedWrites } from "./optimisticResponse";

setUpOfflineHarness();

describe("changes reach the server", () => {
  it("are merged into one write with all the time, and every step is recorded", async () => {
    const page = await openPage();
    failNextWrites("down");
    await page.change("q1", ONE);
    await page.change("q1", TWO);
    await page.change("q1", THREE, "changed");
    await waitUntilSent(page);
    const { response, entries, revisions } = server.of("q1");
    expect(response).toMatchObject({ payload: { ranking: THREE }, outcome: "changed", active_ms: 300 });
    expect(entryIds(entries)).toEqual(entryIds(page.recorded.get("q1") ?? []));
    expect(revisions).toHaveLength(1);
  });

  it("never merge a submission into a later save", async () => {
    const page = await openPage();
    server.signOut();
    await page.change("q1", ONE, "changed");
    await page.change("q1", TWO);
    server.signIn("expert");
    await page.engine.sendNow();
    await waitUntilSent(page);
    expect(server.of("q1").revisions).toEqual([{ outcome: "changed", ranking: ONE }]);
    expect(server.of("q1").response).toMatchObject({ status: "draft", payload: { ranking: TWO } });
  });

  it("are based on the version that the last write made, before the page has rendered it", async () => {
    const page = await openPage();
    await page.change("q1", ONE);
    await waitUntilSent(page);
    page.versions.clear();
    await page.change("q1", TWO);
    await waitUntilSent(page);
    expect(server.of("q1").response).toMatchObject({ payload: { ranking: TWO }, version: 2 });
  });

  it("split more than 500 activity entries over several requests", async () => {
    const page = await openPage();
    const entries = Array.from({ length: 1201 }, () => makeEntry("moved"));
    await page.change("q1", ONE, "changed", { entries });
    await waitUntilSent(page);
    expect(entryIds(server.of("q1").entries)).toEqual(entryIds(entries));
    expect(server.of("q1").revisions).toHaveLength(1);
    expect(server.activityRequests.map(({ body }) => body.entries.length)).toEqual([500, 500, 201]);
  });

  it("truncate an entry that the server would reject for its size, and keep text storable", async () => {
    const page = await openPage();
    const entry = { ...makeEntry("comment"), new: `\u0000${"x".repeat(20_000)}` };
    await page.change("q1", ONE, "save", { entries: [entry], payload: { comment: "half \ud83d of a pair" } });
    await waitUntilSent(page);
    expect(server.of("q1").response.payload.comment).toBe("half \ufffd of a pair");
    expect(server.of("q1").entries[0]?.new).toMatchObject({ length: 20_003 });
  });
});

describe("what the page shows", () => {
  it.each(["the tab that sends", "another tab"])("never shows an older state again, in %s", async (where) => {
    const page = await openPage();
    const shown = where === "another tab" ? await openPage() : page;
    let saved = server.of("q1").response;
    const received: string[] = [];
    const look = () => {
      const waiting = shown.engine.state.queue.filter(({ resource }) => resource === "q1");
      received.push(JSON.stringify(applyQueuedWrites(saved, waiting).payload.ranking));
    };
    shown.engine.onMessage(({ response }) => (saved = response ?? saved));
    shown.engine.subscribe(look);
    await page.change("q1", ONE);
    await vi.waitFor(() => expect(saved.version).toBe(1));
    await vi.waitFor(() => expect(shown.engine.state.savedAt).not.toBeNull());
    const first = received.indexOf(JSON.stringify(ONE));
    expect(first).toBeGreaterThanOrEqual(0);
    expect(new Set(received.slice(first))).toEqual(new Set([JSON.stringify(ONE)]));
  });
});

describe("a network that fails", () => {
  it.each<FailureMode>(["lost", "cut", "late broken"])("repeats a write whose answer was %s under the same key", async (fault) => {
    const page = await openPage();
    failNextWrites(fault, fault);
    await page.change("q1", ONE, "changed");
    await waitUntilSent(page);
    expect(new Set(server.attempts.map(({ key }) => key)).size).toBe(1);
    expect(server.attempts).toHaveLength(3);
    expect(server.of("q1").revisions).toHaveLength(1);
  });

  it("keeps the key over a closed tab, and does not fold into what may have arrived", async () => {
    const page = await openPage();
    server.failureFor = (path) => (path.endsWith("/response") ? "lost" : "none");
    await page.change("q1", ONE, "changed");
    await waitForPhase(page, "retrying");
    page.engine.stop();
    server.forgetPages();
    const key = server.attempts[0]?.key;
    failNextWrites();
    const next = await openPage();
    await next.change("q1", TWO);
    await waitUntilSent(next);
    expect(server.attempts.filter(({ key: other }) => other === key).length).toBeGreaterThan(1);
    expect(server.of("q1").revisions).toEqual([{ outcome: "changed", ranking: ONE }]);
    expect(server.of("q1").response).toMatchObject({ payload: { ranking: TWO }, status: "draft", version: 2, active_ms: 200 });
  });

  it("gives up on a server that holds still, and asks again", async () => {
    const page = new FakePage(await openStore(), "expert", { ...FAST_TIMING, requestTimeoutMs: 20 });
    pages.push(page);
    let stuck = true;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      if (!stuck || !path.endsWith("/response")) return server.fetch(path, init);
      stuck = false;
      return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(new TypeError("aborted"))));
    });
    await page.change("q1", ONE);
    await waitUntilSent(page);
    expect(server.ranking("q1")).toEqual(ONE);
  });

  it.each(["/response", "/me", "/activity"])("waits as long as a restarting server says, and drops nothing: %s", async (path) => {
    const page = await openPage();
    await page.started;
    page.engine.invalidateSession();
    server.failureFor = (requested) => (requested.endsWith(path) ? "restarting" : "none");
    await page.change("q1", ONE, "changed");
    await waitForPhase(page, "retrying");
    const { retryAt } = page.engine.state;
    expect((retryAt ?? 0) - Date.now()).toBeGreaterThan(500);
    await page.change("q1", TWO);
    expect(page.engine.state.retryAt).toBe(retryAt);
    server.failureFor = () => "none";
    await vi.waitFor(() => expect(page.engine.hasUnsent).toBe(false), 5000);
    expect(server.of("q1").revisions).toEqual([{ outcome: "changed", ranking: ONE }]);
    expect(server.ranking("q1")).toEqual(TWO);
    expect(entryIds(server.of("q1").entries)).toEqual(entryIds(page.recorded.get("q1") ?? []));
  });

  it("does not let one write that breaks the server keep the others waiting", async () => {
    const page = await openPage();
    server.failureFor = (path) => (path.includes("/q1/") ? "broken" : "none");
    await page.change("q1", ONE);
    await page.change("q2", TWO);
    await vi.waitFor(() => expect(server.ranking("q2")).toEqual(TWO));
    await vi.waitFor(() => expect(page.engine.state.queue.map(({ resource }) => resource)).toEqual(["q1"]));
    failNextWrites();
    await waitUntilSent(page);
  });
});

describe("where it is kept", () => {
  it("is stored on the device before it counts as stored", async () => {
    server.failureFor = () => "down";
    const page = await openPage();
    await page.change("q1", ONE);
    const writes = await (await openStore()).readWrites("expert");
    expect(writes.map(({ write }) => write.payload.ranking)).toEqual([ONE]);
  });

  it("is reported where the browser cannot store it, and sent all the same", async () => {
    vi.stubGlobal("indexedDB", undefined);
    const page = await openPage();
    expect(page.engine.state.isDurable).toBe(false);
    await page.change("q1", ONE);
    await waitUntilSent(page);
    expect(server.ranking("q1")).toEqual(ONE);
  });

  it("continues in memory when the disk is full, without losing what waits", async () => {
    server.failureFor = () => "down";
    const disk = await openStore();
    let isFull = false;
    const stored = {
      isDurable: true,
      readWrites: disk.readWrites.bind(disk),
      updateQueue: (...given: Parameters<typeof disk.updateQueue>) =>
        isFull ? Promise.reject(new DOMException("full", "QuotaExceededError")) : disk.updateQueue(...given),
      readBatch: disk.readBatch.bind(disk),
      readBatches: disk.readBatches.bind(disk),
      storeBatch: disk.storeBatch.bind(disk),
      readResponses: disk.readResponses.bind(disk),
      readResponse: disk.readResponse.bind(disk),
      readActivity: disk.readActivity.bind(disk),
      appendActivity: disk.appendActivity.bind(disk),
      removeActivity: disk.removeActivity.bind(disk),
      clearAccount: disk.clearAccount.bind(disk),
    };
    const page = new FakePage(stored);
    pages.push(page);
    await page.change("q1", ONE);
    isFull = true;
    await page.change("q2", TWO);
    expect(page.engine.state).toMatchObject({ isDurable: false, changes: 2 });
    server.failureFor = () => "none";
    await page.engine.sendNow();
    await waitUntilSent(page);
    expect(server.ranking("q1")).toEqual(ONE);
    expect(server.ranking("q2")).toEqual(TWO);
  });

  it("removes what the account could read on sign-out, never what is not sent", async () => {
    server.failureFor = () => "down";
    const page = await openPage();
    await page.change("q1", ONE);
    const stored = await openStore();
    const batch = { id: "b", number: 1, name: "", study: { id: "s", name: "", status: "open" as const } };
    await stored.storeBatch({ account: "expert", batch: "b", data: { batch, total: 0, assignments: [] } as never });
    await stored.clearAccount("expert");
    expect(await stored.readBatch("expert", "b")).toBeNull();
    expect(await stored.readWrites("expert")).toHaveLength(1);
  });
});
