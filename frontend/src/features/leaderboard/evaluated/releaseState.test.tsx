import { act, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { lastSocket, stubSockets } from "@/test/fakeSocket";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { makeOverview, makeTable, makeTrack } from "../fixtures";
import { LeaderboardPage } from "../LeaderboardPage";

beforeEach(stubSockets);

const RELEASE = { slug: "pairs", name: "Pairs", track: "paper-task", partition: "", state: "open", entries: 2, items: { test: 60 }, created_at: "2026-11-22T10:00:00Z", corrected_by: null, corrected_by_name: null };
const BOARD = { release: "pairs", name: "Pairs", split: "test", entries: 0, results: [], metrics: [], created_at: "2026-11-22T10:00:00Z", evaluator_version: "1" };

/** The page of a track with one release; returns what changes that release, with its announcement. */
async function open() {
  let releases: object[] = [RELEASE];
  mockServer(({ path }) => {
    if (path === "/api/v1/leaderboards") return jsonResponse({ results: [makeOverview()] });
    if (path === "/api/v1/leaderboards/paper-task") return jsonResponse(makeTrack([makeTable()]));
    if (path.startsWith("/api/v1/releases?")) return jsonResponse({ results: releases });
    return path.startsWith("/api/v1/boards/pairs?") ? jsonResponse(BOARD) : undefined;
  });
  renderRoute([{ path: "/leaderboard/:track", Component: LeaderboardPage }], "/leaderboard/paper-task");
  await screen.findByText(/60 test items, open, since/);
  lastSocket("/ws/boards/pairs").onopen?.();
  await screen.findByText("updates live");
  expect(screen.getByRole("link", { name: "Submit predictions" })).toBeInTheDocument();
  return (later: object[]) => {
    releases = later;
    act(() => lastSocket("/ws/boards/pairs").onmessage?.({ data: '{"type":"changed","what":"release","version":1764000000000}' }));
  };
}

it("states that its release was closed meanwhile, and takes no more predictions", async () => {
  const change = await open();
  change([{ ...RELEASE, slug: "other", name: "Other" }, { ...RELEASE, state: "closed" }]);
  expect(await screen.findByText(/60 test items, closed, since/)).toBeInTheDocument();
  expect(screen.getByRole("article", { name: "Pairs" })).toBeInTheDocument();
  expect(screen.queryByText("updates live")).not.toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Submit predictions" })).not.toBeInTheDocument();
});

it("leads to the correction that has superseded its release meanwhile", async () => {
  const change = await open();
  change([{ ...RELEASE, state: "deprecated", corrected_by: "pairs-2", corrected_by_name: "Pairs, corrected" }]);
  expect(await screen.findByRole("link", { name: "Pairs, corrected" })).toHaveAttribute("href", "/releases/pairs-2");
  expect(screen.queryByText("updates live")).not.toBeInTheDocument();
});
