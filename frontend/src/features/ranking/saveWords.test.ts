import { expect, it } from "vitest";
import type { SyncState } from "@/lib/offline";
import { saveWords } from "./saveWords";

const IDLE: SyncState = { durable: true, phase: "idle", changes: 0, queue: [], retryAt: null, savedAt: null };

it("says in a narrow bar too that it is saved, not only when", () => {
  const words = saveWords({ ...IDLE, savedAt: new Date(2026, 0, 1, 7, 34, 5).getTime() }, 0);
  expect(words).toMatchObject({ text: "Saved 07:34:05", short: "Saved" });
});
