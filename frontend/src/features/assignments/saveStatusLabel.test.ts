import { expect, it } from "vitest";
import type { SyncState } from "@/lib/offline";
import { saveStatusLabel } from "./saveStatusLabel";

const IDLE: SyncState = { isDurable: true, phase: "idle", changes: 0, queue: [], activity: [], retryAt: null, savedAt: null };

it("says in a narrow bar too that it is saved, not only when", () => {
  const words = saveStatusLabel({ ...IDLE, savedAt: new Date(2026, 0, 1, 7, 34, 5).getTime() }, 0);
  expect(words).toMatchObject({ text: "Saved 07:34:05", short: "Saved" });
});

it("says in a narrow bar too how many changes the device holds while offline", () => {
  const short = (changes: number, isDurable = true) => saveStatusLabel({ ...IDLE, phase: "offline", changes, isDurable }, 0).short;
  expect([short(0), short(2), short(2, false)]).toEqual(["Offline", "Offline, 2 saved", "Offline, 2 not saved"]);
});

it("says that it is still saving and that the changes are kept here, once the server is slow", () => {
  const state = { ...IDLE, phase: "sending" as const, changes: 2 };
  const text = (isSlow: boolean, isRepeated: boolean, more = {}) => saveStatusLabel({ ...state, ...more }, 0, { isSlow, isRepeated }).text;
  expect(text(false, false)).toBe("Saving");
  expect(text(true, false)).toBe("Still saving, 2 changes kept");
  expect(text(true, false, { isDurable: false })).toBe("Still saving, 2 changes not kept on this device");
  expect(text(true, false, { changes: 0 })).toBe("Saving");
  expect(text(true, true)).toBe("Failed, trying again, 2 changes kept");
});
