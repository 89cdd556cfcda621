import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Action, Ranking } from "@/api/contract";
import { FakeServer, PRIOR, type Fault } from "@/test/offline/fakeServer";
import { eventOf, FakePage, ORDERS, QUICK } from "@/test/offline/page";
import { overlay } from "./answer";
import { openKept } from "./database";
import { inMemory } from "./memory";

const [ONE = PRIOR, TWO = PRIOR, THREE = PRIOR] = ORDERS;

let server: FakeServer;
const pages: FakePage[] = [];

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  server = new FakeServer();
  server.assign("q1");
  server.assign("q2");
  vi.stubGlobal("fetch", server.fetch);
});

afterEach(() => {
  for (const page of pages.splice(0)) page.engine.stop();
  vi.unstubAllGlobals();
});

async function open(account = "her"): Promise<FakePage> {
  const page = await FakePage.open(account);
  pages.push(page);
  return page;
}

/** One of these faults for each write, in turn, then none. */
function faults(...list: Fault[]): void {
  server.fault = (path) => (path.endsWith("/response") ? (list.shift() ?? "none") : "none");
}

const sent = (page: FakePage) => vi.waitFor(() => expect(page.engine.state.queue).toEqual([]));
const held = (page: FakePage, kind: string) =>
  vi.waitFor(() => expect(page.engine.state.queue[0]?.hold?.kind).toBe(kind));
const idle = (page: FakePage) => vi.waitFor(() => expect(page.engine.state.phase).toBe("idle"));
const phase = (page: FakePage, is: string) => vi.waitFor(() => expect(page.engine.state.phase).toBe(is));
const ids = (events: { id: string }[]) => events.map(({ id }) => id);

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

/** On her other device, which has a queue of its own, and of which this one hears nothing. */
async function elsewhere(ranking: Ranking, action: Action = "save"): Promise<void> {
  const page = new FakePage(inMemory(), "her", QUICK);
  await page.change("q1", ranking, action);
  await sent(page);
  page.engine.stop();
  for (const one of pages) one.versions.clear();
}

describe("looking", () => {
  const opened = eventOf("link_opened");

  it("keeps the answer that another tab has changed since", async () => {
    const mine = await open();
    const beside = await open();
    const shown = server.of("q1").told;
    await mine.change("q1", ONE);
    await beside.look("q1", [opened], 7000, shown);
    await sent(mine);
    await sent(beside);
    expect(server.of("q1").told).toMatchObject({ ranking: ONE, state: "draft", version: 1, active_ms: 7100 });
    expect(ids(server.of("q1").events)).toContain(opened.id);
  });

  it("at an answer that was changed elsewhere is no conflict, and the page hears of that answer", async () => {
    const device = await open();
    const shown = server.of("q1").told;
    await elsewhere(TWO, "submit");
    await device.look("q1", [opened], 2000, shown);
    await sent(device);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, state: "changed", version: 1, active_ms: 2100 });
    expect(device.versions.get("q1")).toBe(1);
  });

  it("hides no conflict of the change that waits behind it", async () => {
    const device = await open();
    const shown = server.of("q1").told;
    await elsewhere(TWO);
    const lost = ["lost", "none"] as Fault[];
    server.fault = (path) => (path.endsWith("/looks") ? (lost.shift() ?? "none") : "none");
    await device.look("q1", [opened], 2000, shown);
    await vi.waitFor(() => expect(server.of("q1").events).toHaveLength(2));
    device.versions.clear();
    await device.change("q1", ONE);
    await held(device, "conflict");
    expect(server.of("q1").told.ranking).toEqual(TWO);
  });

  it("does not make a page forget the version that its own write made", async () => {
    const page = await open();
    await page.change("q1", ONE);
    await sent(page);
    await page.look("q1", [opened], 2000, server.of("q1").told);
    await sent(page);
    page.versions.clear();
    await page.change("q1", TWO);
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, version: 2 });
  });

  it("that waits goes with the change that follows it, in one write", async () => {
    const page = await open();
    server.signOut();
    await page.look("q1", [opened], 2000, server.of("q1").told);
    await page.change("q1", ONE, "submit");
    server.signIn("her");
    await page.engine.sendNow();
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ version: 1, active_ms: 2100, ranking: ONE });
  });

  it("after the saved answer was taken leaves it as it is", async () => {
    const device = await open();
    await elsewhere(TWO, "submit");
    await device.change("q1", ONE);
    await held(device, "conflict");
    const { told } = server.of("q1");
    await device.engine.takeSaved("q1", told);
    await device.look("q1", [opened], 1500, { ...told, ranking: ONE, version: 0 });
    await sent(device);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, state: "changed", version: 1 });
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

describe("whose session it is", () => {
  it("waits for her when the session ran out, and goes on by itself", async () => {
    const page = await open();
    await page.change("q1", ONE);
    await sent(page);
    server.signOut();
    await page.change("q1", TWO);
    await phase(page, "signed_out");
    const before = server.attempts.length;
    await page.change("q1", THREE);
    await page.engine.sendNow();
    expect(server.attempts).toHaveLength(before);
    server.signIn("her");
    await page.engine.sendNow();
    await sent(page);
    expect(server.of("q1").told.ranking).toEqual(THREE);
  });

  it("sends nothing of hers while another account is signed in", async () => {
    server.signIn("colleague");
    const page = await open();
    await page.change("q1", ONE, "submit");
    await phase(page, "other_account");
    expect(server.attempts).toEqual([]);
    expect(page.engine.state.changes).toBe(1);
  });

  it("notices a sign-in in another tab before the next write leaves", async () => {
    const page = await open();
    await page.change("q1", ONE);
    await sent(page);
    server.signIn("colleague");
    await page.change("q1", TWO);
    await phase(page, "other_account");
    expect(server.attempts.filter(({ as }) => as === "colleague")).toEqual([]);
  });

  it("shows and sends another person nothing of what she kept here", async () => {
    server.fault = () => "down";
    const page = await open();
    await page.change("q1", ONE);
    page.engine.stop();
    server.signIn("colleague");
    server.fault = () => "none";
    const other = await open("colleague");
    await idle(other);
    expect(other.engine.state.queue).toEqual([]);
    expect(server.attempts).toEqual([]);
    server.signIn("her");
    await open();
    await vi.waitFor(() => expect(server.of("q1").told.ranking).toEqual(ONE));
  });
});

describe("an answer of no", () => {
  it("keeps what is not hers to send, tries twice and no more, and once again on a new page", async () => {
    server.assign("theirs", "colleague");
    const page = await open();
    await page.change("theirs", ONE);
    await held(page, "not_yours");
    await page.engine.sendNow();
    await page.engine.sendNow();
    expect(server.attempts).toHaveLength(2);
    page.engine.stop();
    server.assign("theirs", "her");
    await open();
    await vi.waitFor(() => expect(server.of("theirs").told.ranking).toEqual(ONE));
  });

  it("goes on with other questions while one is held", async () => {
    server.assign("theirs", "colleague");
    const page = await open();
    await page.change("theirs", ONE);
    await page.change("q2", ONE);
    await vi.waitFor(() => expect(server.of("q2").told.ranking).toEqual(ONE));
    await held(page, "not_yours");
  });

  it("holds an answer to a closed study, with the server's sentence", async () => {
    const page = await open();
    server.isClosed = true;
    await page.change("q1", ONE);
    await held(page, "closed");
    expect(page.engine.state.queue[0]?.hold).toMatchObject({ sentence: "The server says study_closed." });
    server.isClosed = false;
    await page.engine.tryAgain("q1");
    await sent(page);
  });

  it("lets a change take the place of what was refused", async () => {
    const page = await open();
    server.refuses = ({ comment }) => comment === "too long";
    await page.change("q1", ONE, "submit", { comment: "too long" });
    await held(page, "refused");
    await page.change("q1", ONE, "save", { comment: "short" });
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ comment: "short", state: "draft" });
    expect(server.of("q1").revisions).toEqual([]);
    expect(ids(server.of("q1").events)).toEqual(ids(page.told.get("q1") ?? []));
  });
});

describe("an answer that was changed elsewhere", () => {
  async function parted(mine = ONE, theirs = TWO): Promise<FakePage> {
    const phone = new FakePage(inMemory());
    pages.push(phone);
    await phone.change("q1", theirs);
    await sent(phone);
    phone.engine.stop();
    const page = await open();
    page.versions.clear();
    await page.change("q1", mine);
    return page;
  }

  it("is held with both versions, and stays held over a reload and through further changes", async () => {
    const page = await parted();
    await held(page, "conflict");
    await page.change("q1", THREE);
    page.engine.stop();
    const next = await open();
    await held(next, "conflict");
    expect(next.engine.state.queue[0]).toMatchObject({ write: { ranking: THREE }, hold: { current: { ranking: TWO } } });
    expect(server.of("q1").told.ranking).toEqual(TWO);
  });

  it("becomes hers when she keeps hers", async () => {
    const page = await parted();
    await held(page, "conflict");
    await page.engine.keepMine("q1");
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ ranking: ONE, version: 2 });
  });

  it("stays as saved when she takes that, and what she did is still recorded", async () => {
    const page = await parted();
    await held(page, "conflict");
    const why = page.engine.state.queue[0]?.hold;
    if (why?.kind !== "conflict") throw new Error("Not in conflict.");
    await page.engine.takeSaved("q1", why.current);
    await sent(page);
    expect(server.of("q1").told.ranking).toEqual(TWO);
    expect(ids(server.of("q1").events)).toEqual(expect.arrayContaining(ids(page.told.get("q1") ?? [])));
  });

  it("is no conflict where both are the same", async () => {
    const page = await parted(TWO, TWO);
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, version: 2 });
    expect(ids(server.of("q1").events)).toEqual(expect.arrayContaining(ids(page.told.get("q1") ?? [])));
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
