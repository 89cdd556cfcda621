import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Release } from "@/domains/evaluation/queries";
import { stubSockets } from "@/test/fakeSocket";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { ReleaseBoard } from "./ReleaseBoard";
import { useBoard } from "./useBoard";

beforeEach(stubSockets);

const RELEASE = { slug: "pairs", name: "Pairs", state: "open", corrected_by: null, corrected_by_name: null } as Release;
const BOARD = {
  release: "pairs", name: "Pairs", split: "test", entries: 1, matching: 0, offset: 0, results: [], metrics: [{ id: "mrr", label: "MRR", unit: "fraction", direction: "higher", description: "" }],
  main_metric: "mrr", slices: ["all"], overall: "all", default_slice: "all", created_at: "2026-11-22T10:00:00Z", evaluator_version: "1", audit: null, queries: 0,
};

function BoardPage() {
  return <ReleaseBoard release={RELEASE} state={useBoard(RELEASE)} />;
}

const open = () => renderRoute([{ path: "/", Component: BoardPage }], "/");

it("names the parts that could not be loaded, beside the board", async () => {
  let isBroken = true;
  mockServer(({ path }) => {
    if (path.includes("/groundedness")) return isBroken ? problemResponse(500, "broken", "The server failed.") : jsonResponse({ split: "test", judges: [] });
    if (path.includes("/judged")) return problemResponse(500, "broken", "The server failed.");
    return path.startsWith("/api/v1/boards/pairs?") ? jsonResponse(BOARD) : undefined;
  });
  open();
  expect(await screen.findByText("Groundedness could not be loaded. The server failed.")).toBeVisible();
  expect(screen.getByText("How much of each entry is judged could not be loaded. The server failed.")).toBeVisible();
  expect(screen.getByText(/No entry matches/)).toBeVisible();
  isBroken = false;
  await userEvent.click(screen.getAllByRole("button", { name: "Try again" })[0] ?? document.body);
  await vi.waitFor(() => expect(screen.queryByText(/^Groundedness could not/)).toBeNull());
});

it("draws no row before groundedness has its columns", async () => {
  let answer: ((response: Response) => void) | null = null as ((response: Response) => void) | null;
  mockServer(({ path }) => (path.startsWith("/api/v1/boards/pairs?") ? jsonResponse(BOARD) : undefined));
  const send = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) =>
    path.includes("/groundedness") ? new Promise<Response>((resolve) => { answer = resolve; }) : send(path, init));
  open();
  await vi.waitFor(() => expect(answer).not.toBeNull());
  expect(screen.queryByText(/No entry matches/)).toBeNull();
  answer?.(jsonResponse({ split: "test", judges: [] }));
  expect(await screen.findByText(/No entry matches/)).toBeVisible();
});
