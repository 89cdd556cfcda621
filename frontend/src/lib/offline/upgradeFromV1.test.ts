/** A small database of version 1 with every shape of record, opened by the store of version 2. */
import { IDBFactory } from "fake-indexeddb";
import { openDB } from "idb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakePage } from "@/test/offline/fakePage";
import { FakeServer, PRIOR } from "@/test/offline/fakeServer";
import { openIndexedDbStore } from "./indexedDbStore";
import { createMemoryStore } from "./memoryStore";
import type { OfflineStore } from "./store";
import type { StoredBatchV1, StoredResponseV1, WriteV1 } from "./upgradeFromV1";

const AT = "2026-01-01T00:00:00.000Z";
const MOVED = [["b"], ["a"], ["c"]];
const ANSWER = { ranking: PRIOR, confidence: null, reasons: [], comment: "", unsure_reason: "" };
const event = (id: string, kind: string) => ({ id, kind, old: null, new: null, at: AT });

let order = 0;

function makeWrite(id: string, more: Omit<Partial<WriteV1>, "write"> & { write?: Partial<WriteV1["write"]> } = {}): WriteV1 {
  order += 1;
  const body = { ...ANSWER, version: 0, action: "save", active_ms: 100, events: [event(`${id}-e`, "moved")], interface: "rank-1" };
  return {
    account: "expert",
    id,
    assignment: `q-${id}`,
    batch: "b1",
    page: "page",
    order,
    queuedAt: AT,
    key: id,
    sent: false,
    hold: null,
    looks: false,
    ...more,
    write: { ...body, ...more.write } as WriteV1["write"],
  };
}

const UNTOUCHED = { ...ANSWER, version: 0, state: "untouched", active_ms: 0, updated_at: null, submitted: null };
const CHANGED = { ...UNTOUCHED, ranking: MOVED, version: 1, state: "changed", updated_at: AT, submitted: { number: 1, state: "changed", submitted_at: AT } };

const WRITES = [
  makeWrite("draft", { write: { ranking: MOVED, confidence: 3, reasons: ["new_to_me"], comment: "Half = done" } }),
  makeWrite("agree", { write: { action: "agree" } }),
  makeWrite("submit", { write: { action: "submit", ranking: MOVED, version: 3 } }),
  makeWrite("unsure", { write: { action: "not_sure", unsure_reason: "too_close" } }),
  makeWrite("skip", { write: { action: "skip" } }),
  makeWrite("sent", { sent: true, write: { action: "submit", ranking: MOVED } }),
  makeWrite("behind", { assignment: "q-sent", write: { comment: "later", events: [event("b1", "opened"), event("b2", "comment")] } }),
  makeWrite("look", { looks: true, write: { active_ms: 700, events: [event("l1", "opened"), event("l2", "definition_opened")] } }),
  makeWrite("time", { looks: true, sent: true, write: { active_ms: 900, events: [] } }),
  makeWrite("conflict", { hold: { kind: "conflict", current: CHANGED } }),
  makeWrite("closed", { hold: { kind: "closed", sentence: "It is closed." } }),
  makeWrite("theirs", { hold: { kind: "not_yours", sentence: "It is not yours." } }),
  makeWrite("refused", { hold: { kind: "refused", sentence: "It is too long." }, write: { ranking: MOVED } }),
];

const STUDY = { id: "s1", name: "Pain", status: "open", is_demo: false, graph: null } as const;
const QUESTION = { id: "q", file_id: "0", number: 1, text: "Which?", category: "", resources: [], candidates: [], prior: PRIOR };
const BATCH: StoredBatchV1 = {
  account: "expert",
  batch: "b1",
  data: {
    batch: { id: "b1", number: 1, name: "", study: STUDY },
    total: 1,
    assignments: [{ id: "q-draft", question: QUESTION, response: UNTOUCHED }],
  },
};
const RESPONSES: StoredResponseV1[] = ["draft", "skipped", "not_sure"].map((state) => ({
  account: "expert",
  assignment: `r-${state}`,
  page: state === "draft" ? "page" : null,
  response: { ...CHANGED, state, submitted: state === "draft" ? null : { number: 2, state, submitted_at: AT } },
}));

async function createVersion1(writes: WriteV1[]): Promise<void> {
  const database = await openDB("serendib", 1, {
    upgrade(upgraded) {
      const store = upgraded.createObjectStore("writes", { keyPath: ["account", "id"] });
      store.createIndex("account", "account");
      store.createIndex("response", ["account", "assignment"]);
      upgraded.createObjectStore("batches", { keyPath: ["account", "batch"] }).createIndex("account", "account");
      upgraded.createObjectStore("responses", { keyPath: ["account", "assignment"] }).createIndex("account", "account");
    },
  });
  for (const write of writes) await database.put("writes", write);
  await database.put("batches", BATCH);
  for (const response of RESPONSES) await database.put("responses", response);
  database.close();
}

async function openUpgraded(): Promise<OfflineStore> {
  const store = await openIndexedDbStore();
  if (!store) throw new Error("The store did not open.");
  return store;
}

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
});

describe("the store of version 1", () => {
  it("keeps every unsent answer, in order, with what it was based on", async () => {
    await createVersion1(WRITES);
    const writes = await (await openUpgraded()).readWrites("expert");
    expect(writes.map(({ id, write: { action, outcome } }) => [id, action, outcome])).toEqual([
      ["draft", "save", ""],
      ["agree", "submit", "confirmed"],
      ["submit", "submit", "changed"],
      ["unsure", "submit", "not_sure"],
      ["skip", "skip", ""],
      ["sent", "submit", "changed"],
      ["behind", "save", ""],
      ["conflict", "save", ""],
      ["closed", "save", ""],
      ["theirs", "save", ""],
      ["refused", "save", ""],
    ]);
    const [draft, , submit, unsure] = writes;
    expect(draft).toMatchObject({ resource: "q-draft", kind: "ranking", interface: "rank-1", pageId: "page", changes: 1 });
    expect(draft?.write.payload).toEqual({ ...ANSWER, ranking: MOVED, confidence: 3, reasons: ["new_to_me"], comment: "Half = done" });
    expect(submit?.write.version).toBe(3);
    expect(unsure?.write.payload.unsure_reason).toBe("too_close");
  });

  it("gives every write a new key, and keeps a sent one frozen", async () => {
    await createVersion1(WRITES);
    const writes = await (await openUpgraded()).readWrites("expert");
    expect(writes.filter(({ id, idempotencyKey }) => id === idempotencyKey)).toEqual([]);
    expect(writes.filter(({ isSent }) => isSent).map(({ id }) => id)).toEqual(["sent"]);
  });

  it("keeps why an answer is blocked, but for a refusal, which met the shape of the old page", async () => {
    await createVersion1(WRITES);
    const writes = await (await openUpgraded()).readWrites("expert");
    expect(writes.flatMap(({ blocked }) => blocked ?? [])).toEqual([
      { kind: "conflict", current: expect.objectContaining({ version: 1, status: "submitted", outcome: "changed", payload: { ...ANSWER, ranking: MOVED } }) },
      { kind: "closed", message: "It is closed." },
      { kind: "forbidden", message: "It is not yours." },
    ]);
    expect(writes.find(({ id }) => id === "refused")?.blocked).toBeNull();
  });

  it("makes log entries of the events, with their ids, and of the time that was only viewed", async () => {
    await createVersion1(WRITES);
    const activity = await (await openUpgraded()).readActivity("expert");
    const entries = activity.toSorted((left, right) => left.order - right.order).map(({ entry }) => entry);
    expect(entries.map(({ id }) => id)).toEqual(expect.arrayContaining(["draft-e", "b1", "b2", "l1", "l2", "time", "refused-e"]));
    expect(entries.filter(({ active_ms: activeMs }) => activeMs > 0).map(({ id, kind, active_ms: activeMs }) => [id, kind, activeMs])).toEqual([
      ["l1", "opened", 700],
      ["time", "active", 900],
    ]);
  });

  it("keeps the batches and the newest responses", async () => {
    await createVersion1([]);
    const store = await openUpgraded();
    const batch = await store.readBatch("expert", "b1");
    expect(batch?.batch.study.kind).toBe("ranking");
    expect(batch?.assignments).toEqual([
      { id: "q-draft", item: QUESTION, response: { version: 0, status: "untouched", outcome: "", payload: ANSWER, active_ms: 0, updated_at: null, submitted: null } },
    ]);
    const responses = await store.readResponses("expert");
    expect(responses.map(({ resource, pageId, response: { status, outcome } }) => [resource, pageId, status, outcome])).toEqual([
      ["r-draft", "page", "draft", ""],
      ["r-not_sure", null, "submitted", "not_sure"],
      ["r-skipped", null, "skipped", "skipped"],
    ]);
  });

  it("is left as it was when a record cannot be converted", async () => {
    const { write: _, ...broken } = makeWrite("broken");
    await createVersion1([broken as WriteV1]);
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await openIndexedDbStore()).toBeNull();
    expect(log).toHaveBeenCalledOnce();
    const database = await openDB("serendib");
    expect(database.version).toBe(1);
    expect(await database.count("writes")).toBe(1);
  });

  describe("at the server", () => {
    let server: FakeServer;

    beforeEach(() => {
      server = new FakeServer();
      vi.stubGlobal("fetch", server.fetch);
      for (const { assignment } of WRITES) server.assign(assignment);
    });
    afterEach(() => vi.unstubAllGlobals());

    async function openUpgradedPage(assignment: string): Promise<FakePage> {
      await createVersion1(WRITES.filter((write) => write.assignment === assignment));
      const page = await FakePage.open();
      await page.started;
      return page;
    }

    it("sends what waited, and drops a submission that the server has already", async () => {
      const page = new FakePage(createMemoryStore());
      await page.change("q-sent", MOVED, "changed", { activeMs: 50, entries: [] });
      await vi.waitFor(() => expect(page.engine.hasUnsent).toBe(false));
      page.engine.stop();
      const upgraded = await openUpgradedPage("q-sent");
      await vi.waitFor(() => expect(upgraded.engine.hasUnsent).toBe(false));
      upgraded.engine.stop();
      const { response, revisions } = server.of("q-sent");
      expect(revisions).toEqual([{ outcome: "changed", ranking: MOVED }]);
      expect(response).toMatchObject({ version: 2, status: "draft", payload: { comment: "later" }, active_ms: 150 });
    });

    it("sends a refused answer of the old page once more, and it is saved", async () => {
      const page = await openUpgradedPage("q-refused");
      await vi.waitFor(() => expect(page.engine.hasUnsent).toBe(false));
      page.engine.stop();
      expect(server.attempts).toHaveLength(1);
      expect(server.of("q-refused").response).toMatchObject({ version: 1, status: "draft", active_ms: 100 });
    });

    it("sends an answer that is refused again only once", async () => {
      server.rejects = () => true;
      (await openUpgradedPage("q-refused")).engine.stop();
      const next = await FakePage.open();
      await next.started;
      next.engine.stop();
      expect(server.attempts).toHaveLength(1);
      expect(next.engine.state.queue.map(({ blocked }) => blocked?.kind)).toEqual(["refused"]);
    });
  });
});
