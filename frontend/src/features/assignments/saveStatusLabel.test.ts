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
