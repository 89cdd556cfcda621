import { IDBFactory, IDBOpenDBRequest as Request } from "fake-indexeddb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openStore } from "./openStore";

const LIMIT_MS = 3000;

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("keeps changes on this device although the page was busy while the database opened", async () => {
  const opening = openStore();
  vi.advanceTimersByTime(2 * LIMIT_MS); // at once, before anything else can run
  expect((await opening).isDurable).toBe(true);
});

it("keeps changes in memory where the database never answers", async () => {
  vi.spyOn(indexedDB, "open").mockReturnValue(new Request());
  const opening = openStore();
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect((await opening).isDurable).toBe(false);
});
