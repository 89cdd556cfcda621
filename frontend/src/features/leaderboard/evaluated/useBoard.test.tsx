import { act, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { Release } from "@/domains/evaluation/queries";
import { FakeSocket, lastSocket, LOST, stubSockets } from "@/test/fakeSocket";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { useBoard } from "./useBoard";

beforeEach(stubSockets);

function BoardPage({ corrected = null }: { corrected?: string | null }) {
  const { board, connection } = useBoard({ slug: "pairs", corrected_by: corrected } as Release);
  return <p>{board.data?.entries} entries, {connection}</p>;
}

/** Sets how many entries the board of the server has. */
function open(page = <BoardPage />, address = "/") {
  let entries = 1;
  const requests = mockServer(() => jsonResponse({ release: "pairs", entries }));
  renderRoute([{ path: "", element: page }], address);
  return { requests, set: (count: number) => { entries = count; } };
}

it("reads the board again when its socket has reopened: a standing of meanwhile is not missed", async () => {
  const { set } = open();
  lastSocket("/ws/boards/pairs").onopen?.();
  await screen.findByText("1 entries, live");
  act(() => lastSocket().onclose?.({ code: LOST }));
  set(2);
  await screen.findByText("1 entries, reconnecting");
  act(() => void window.dispatchEvent(new Event("online")));
  expect(FakeSocket.all).toHaveLength(2);
  lastSocket().onopen?.();
  expect(await screen.findByText("2 entries, live")).toBeInTheDocument();
});

it("reads the board again when a new standing is announced, and when it is refused", async () => {
  const { set } = open();
  await screen.findByText("1 entries, connecting");
  set(2);
  act(() => lastSocket().onmessage?.({ data: '{"type":"changed","what":"board","version":2}' }));
  expect(await screen.findByText("2 entries, connecting")).toBeInTheDocument();
  await act(() => new Promise((done) => setTimeout(done, 1_100)));
  set(3);
  act(() => lastSocket().onclose?.({ code: 4403 }));
  expect(await screen.findByText("3 entries, checking")).toBeInTheDocument();
});

it("reads the board every 15 seconds while the socket is lost, and not while it is live", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const { requests } = open();
    lastSocket().onopen?.();
    await screen.findByText("1 entries, live");
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    const before = requests.length;
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(requests).toHaveLength(before);
    act(() => lastSocket().onclose?.({ code: LOST }));
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(requests).toHaveLength(before + 1);
  } finally {
    vi.useRealTimers();
  }
});

it.each([["a corrected release", <BoardPage key="corrected" corrected="later" />, "/"], ["a past time", <BoardPage key="past" />, "/?at=2026-01-01"]])("follows no board of %s", async (_, page, address) => {
  open(page, address);
  await screen.findByText("1 entries, connecting");
  expect(FakeSocket.all).toEqual([]);
});
