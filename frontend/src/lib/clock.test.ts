import { describe, expect, it } from "vitest";
import { ActiveClock, IDLE_MS } from "./clock";

function clock() {
  let now = 0;
  return { active: new ActiveClock(() => now), at: (ms: number) => (now = ms) };
}

describe("active time", () => {
  it("runs from input to input, and each millisecond is taken once", () => {
    const { active, at } = clock();
    active.input();
    at(1500);
    expect(active.take()).toBe(1500);
    expect(active.take()).toBe(0);
    at(2000);
    expect(active.take()).toBe(500);
  });

  it("stops 60 s after the last input, however long she is away", () => {
    const { active, at } = clock();
    active.input();
    at(3_600_000);
    expect(active.take()).toBe(IDLE_MS);
    at(3_700_000);
    expect(active.take()).toBe(0);
    active.input();
    at(3_701_000);
    expect(active.take()).toBe(1000);
  });

  it("stops while the page is hidden", () => {
    const { active, at } = clock();
    active.input();
    at(1000);
    active.hide();
    at(20_000);
    active.input();
    at(21_000);
    expect(active.take()).toBe(2000);
  });

  it("does not run before the first input", () => {
    const { active, at } = clock();
    at(5000);
    expect(active.take()).toBe(0);
  });

  it("gives back what was taken and not told", () => {
    const { active, at } = clock();
    active.input();
    at(700);
    active.giveBack(active.take());
    expect(active.take()).toBe(700);
  });
});
