import { expect, it, vi } from "vitest";
import { parseRetryAfter } from "./client";

it("reads how long to wait, in seconds or as a date, with up to half as long again by chance", () => {
  vi.setSystemTime("2026-11-22T08:00:00Z");
  expect(parseRetryAfter("5", 0)).toBe(5000);
  expect(parseRetryAfter("5", 1)).toBe(7500);
  expect(parseRetryAfter("Sun, 22 Nov 2026 08:00:10 GMT", 0)).toBe(10_000);
  expect(parseRetryAfter("Sun, 22 Nov 2026 07:00:00 GMT", 0)).toBe(0);
  expect(parseRetryAfter("86400", 0)).toBe(60_000);
  expect(parseRetryAfter("soon", 0)).toBeNull();
  expect(parseRetryAfter(null)).toBeNull();
  vi.useRealTimers();
});
