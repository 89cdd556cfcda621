import { describe, expect, it } from "vitest";
import { ActiveTimer, IDLE_AFTER_MS } from "./activeTime";

function clock() {
  let now = 0;
  return { active: new ActiveTimer(() => now), at: (ms: number) => (now = ms) };
}

describe("active time", () => {
  it("runs from input to input, and each millisecond is taken once", () => {
    const { active, at } = clock();
    active.recordInput();
    at(1500);
    expect(active.takeElapsedMs()).toBe(1500);
    expect(active.takeElapsedMs()).toBe(0);
    at(2000);
    expect(active.takeElapsedMs()).toBe(500);
  });

  it("stops 60 s after the last input, however long the expert is away", () => {
    const { active, at } = clock();
    active.recordInput();
    at(3_600_000);
    expect(active.takeElapsedMs()).toBe(IDLE_AFTER_MS);
    at(3_700_000);
    expect(active.takeElapsedMs()).toBe(0);
    active.recordInput();
    at(3_701_000);
    expect(active.takeElapsedMs()).toBe(1000);
  });

  it("stops while the page is hidden", () => {
    const { active, at } = clock();
    active.recordInput();
    at(1000);
    active.pause();
    at(20_000);
    active.recordInput();
    at(21_000);
    expect(active.takeElapsedMs()).toBe(2000);
  });

  it("does not run before the first input", () => {
    const { active, at } = clock();
    at(5000);
    expect(active.takeElapsedMs()).toBe(0);
  });

  it("gives back what was taken and not sent", () => {
    const { active, at } = clock();
    active.recordInput();
    at(700);
    active.returnElapsedMs(active.takeElapsedMs());
    expect(active.takeElapsedMs()).toBe(700);
  });
});
