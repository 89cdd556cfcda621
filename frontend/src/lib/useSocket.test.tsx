import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeSocket, lastSocket, LOST, stubSockets } from "@/test/fakeSocket";
import { useSocket } from "./useSocket";

const STABLE_MS = 250;
let calls: string[];

beforeEach(() => {
  vi.useFakeTimers();
  stubSockets();
  calls = [];
});
afterEach(() => vi.useRealTimers());

function open(first: string | null = "/ws/boards/pairs") {
  const handlers = { onOpened: () => calls.push("opened"), onRefused: () => calls.push("refused"), onMessage: () => calls.push("message") };
  return renderHook(({ path }) => useSocket(path, handlers), { initialProps: { path: first } });
}

function settle() {
  act(() => {
    lastSocket().onopen?.();
    vi.advanceTimersByTime(STABLE_MS);
  });
}

const lose = (code = LOST) => act(() => lastSocket().onclose?.({ code }));
const fire = (name: string) => act(() => window.dispatchEvent(new Event(name)));

it("reports each opening, so that what a lost socket missed is read", () => {
  const { result } = open();
  settle();
  expect([result.current, ...calls]).toEqual(["live", "opened"]);
  act(() => lastSocket().onmessage?.({ data: '{"type":"changed","what":"board","version":2}' }));
  lose();
  expect(result.current).toBe("reconnecting");
  act(() => vi.advanceTimersByTime(1_000));
  expect(FakeSocket.all).toHaveLength(2);
  expect(calls).toEqual(["opened", "message"]);
  settle();
  expect([result.current, ...calls]).toEqual(["live", "opened", "message", "opened"]);
});

it("is not live while it is lost, so that the page reads by itself, and is checked after four losses", () => {
  const { result } = open();
  for (let loss = 1; loss <= 4; loss += 1) {
    lose();
    act(() => vi.advanceTimersByTime(30_000));
  }
  expect(result.current).toBe("checking");
  expect(FakeSocket.all).toHaveLength(5);
  settle();
  expect([result.current, ...calls]).toEqual(["live", "opened"]);
});

it("is lost with the network and opens at once when that is back", () => {
  const { result } = open();
  settle();
  fire("offline");
  expect([result.current, lastSocket().isClosed]).toEqual(["reconnecting", true]);
  fire("online");
  expect(FakeSocket.all).toHaveLength(2);
  settle();
  expect(calls).toEqual(["opened", "opened"]);
});

it("opens at once when a hidden page is shown again", () => {
  open();
  settle();
  lose();
  act(() => document.dispatchEvent(new Event("visibilitychange")));
  expect(FakeSocket.all).toHaveLength(2);
});

it("reports a refusal", () => {
  open();
  lose(4403);
  expect(calls).toEqual(["refused"]);
});

it("follows another path, and nothing without a path or after the page is left", () => {
  const { result, rerender, unmount } = open(null);
  expect(FakeSocket.all).toEqual([]);
  rerender({ path: "/ws/boards/one" });
  settle();
  rerender({ path: "/ws/boards/two" });
  expect(FakeSocket.all.map(({ url, isClosed }) => [new URL(url).pathname, isClosed])).toEqual([["/ws/boards/one", true], ["/ws/boards/two", false]]);
  expect(result.current).toBe("connecting");
  unmount();
  fire("online");
  expect(FakeSocket.all.map(({ isClosed }) => isClosed)).toEqual([true, true]);
});
