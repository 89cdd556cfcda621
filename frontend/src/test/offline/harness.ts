/** A server, a device and the pages open at it, anew for each test of the engine. */
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { createMemoryStore } from "@/lib/offline/memoryStore";
import type { Ranking } from "@/study-kinds/ranking/board/rankingModel";
import { FakeServer, PRIOR, type FailureMode } from "./fakeServer";
import { FakePage, RANKINGS, FAST_TIMING, type Submission } from "./fakePage";

export const [ONE = PRIOR, TWO = PRIOR, THREE = PRIOR] = RANKINGS;

export let server: FakeServer;
export const pages: FakePage[] = [];

/** Called by each test file: a module that files share is evaluated once. */
export function setUpOfflineHarness(): void {
  beforeEach(() => {
    vi.stubGlobal("indexedDB", new IDBFactory());
    server = new FakeServer();
    server.assign("q1");
    server.assign("q2");
    vi.stubGlobal("fetch", server.fetch);
  });

  afterEach(() => {
    for (const page of pages.splice(0)) page.engine.stop();
  });
}

export async function openPage(account = "expert"): Promise<FakePage> {
  const page = await FakePage.open(account);
  pages.push(page);
  return page;
}

/** On another device of the same account, with a queue of its own, of which this one gets no message. */
export async function changeOnOtherDevice(ranking: Ranking, submission: Submission = "save"): Promise<void> {
  const page = new FakePage(createMemoryStore(), "expert", FAST_TIMING);
  await page.change("q1", ranking, submission);
  await waitUntilSent(page);
  page.engine.stop();
  for (const open of pages) open.versions.clear();
}

/** One of these failures for each write, in turn, then none. */
export function failNextWrites(...list: FailureMode[]): void {
  server.failureFor = (path) => (path.endsWith("/response") ? (list.shift() ?? "none") : "none");
}

export const waitUntilSent = (page: FakePage) => vi.waitFor(() => expect(page.engine.hasUnsent).toBe(false));
export const waitUntilBlocked = (page: FakePage, kind: string) =>
  vi.waitFor(() => expect(page.engine.state.queue[0]?.blocked?.kind).toBe(kind));
export const waitUntilIdle = (page: FakePage) => vi.waitFor(() => expect(page.engine.state.phase).toBe("idle"));
export const waitForPhase = (page: FakePage, expected: string) => vi.waitFor(() => expect(page.engine.state.phase).toBe(expected));
export const entryIds = (entries: { id: string }[]) => entries.map(({ id }) => id);
