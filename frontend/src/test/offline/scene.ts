/** A server, a device and the pages open at it, anew for each test of the engine. */
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { Action, Ranking } from "@/api/contract";
import { inMemory } from "@/lib/offline/memory";
import { FakeServer, PRIOR, type Fault } from "./fakeServer";
import { FakePage, ORDERS, QUICK } from "./page";

export const [ONE = PRIOR, TWO = PRIOR, THREE = PRIOR] = ORDERS;

export let server: FakeServer;
export const pages: FakePage[] = [];

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

export async function open(account = "her"): Promise<FakePage> {
  const page = await FakePage.open(account);
  pages.push(page);
  return page;
}

/** On her other device, which has a queue of its own, and of which this one hears nothing. */
export async function elsewhere(ranking: Ranking, action: Action = "save"): Promise<void> {
  const page = new FakePage(inMemory(), "her", QUICK);
  await page.change("q1", ranking, action);
  await sent(page);
  page.engine.stop();
  for (const one of pages) one.versions.clear();
}

/** One of these faults for each write, in turn, then none. */
export function faults(...list: Fault[]): void {
  server.fault = (path) => (path.endsWith("/response") ? (list.shift() ?? "none") : "none");
}

export const sent = (page: FakePage) => vi.waitFor(() => expect(page.engine.state.queue).toEqual([]));
export const held = (page: FakePage, kind: string) =>
  vi.waitFor(() => expect(page.engine.state.queue[0]?.hold?.kind).toBe(kind));
export const idle = (page: FakePage) => vi.waitFor(() => expect(page.engine.state.phase).toBe("idle"));
export const phase = (page: FakePage, is: string) => vi.waitFor(() => expect(page.engine.state.phase).toBe(is));
export const ids = (events: { id: string }[]) => events.map(({ id }) => id);
