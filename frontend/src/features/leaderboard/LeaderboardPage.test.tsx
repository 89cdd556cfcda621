import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LeaderboardPage } from "./index";
import { row, table, track } from "./samples";

const detail = track([table(), table({ id: "paper-2", name: "Time", title: "Time to answer", main_slice: "two" })]);
const listed = { ...detail, tables: 2 };
let answers: Record<string, () => globalThis.Response>;

function json(body: unknown, status = 200): globalThis.Response {
  return new globalThis.Response(JSON.stringify(body), { status });
}

beforeEach(() => {
  answers = {
    "/api/v1/leaderboards": () => json({ results: [listed] }),
    "/api/v1/leaderboards/paper-task": () => json(detail),
  };
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(answers[path]?.() ?? json({ status: 404, code: "not_found", detail: "Nothing." }, 404)),
  );
});

afterEach(() => vi.unstubAllGlobals());

function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: "/leaderboard", Component: LeaderboardPage },
      { path: "/leaderboard/:track", Component: LeaderboardPage },
    ],
    { initialEntries: [address] },
  );
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

async function modelsShown(): Promise<(string | null)[]> {
  const rows = within(await screen.findByRole("table")).getAllByRole("rowheader");
  return rows.map(({ textContent }) => textContent);
}

test("the leaderboard without a track opens the first one", async () => {
  const router = open("/leaderboard");
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Paper, Task");
  expect(router.state.location.pathname).toBe("/leaderboard/paper-task");
});

test("a reader sees the printed text, the marks in words, the source and the direction", async () => {
  open("/leaderboard/paper-task?slice=one");
  const shown = await screen.findByRole("table", { name: "Paper, Table 1, upper part: Answers by hops" });
  expect(within(shown).getAllByText("70.10")).toHaveLength(2);
  expect(within(shown).getByText("4.00").parentElement).toHaveTextContent("4.00 best");
  expect(within(shown).getByText("5.00").parentElement).toHaveTextContent("5.00 second");
  expect(within(shown).getAllByText("published")).toHaveLength(4);
  expect(within(shown).getAllByText("not given")).toHaveLength(2);
  expect(within(shown).getByRole("columnheader", { name: /Both wrong/ })).toHaveTextContent("lower is better");
  expect(screen.getByRole("link", { name: /Author et al/ })).toHaveAttribute("href", "https://example.org/paper");
  expect(screen.getByText("One row is odd.")).toBeInTheDocument();
});

test("pressing a head sorts, says so, and the address carries it", async () => {
  const router = open("/leaderboard/paper-task?slice=one");
  await userEvent.click(await screen.findByRole("button", { name: "Both wrong" }));
  expect(await modelsShown()).toEqual(["c", "a", "b", "d"]);
  expect(screen.getByRole("columnheader", { name: /Both wrong/ })).toHaveAttribute("aria-sort", "ascending");
  expect(router.state.location.search).toBe("?table=paper-1&slice=one&sort=one.wrong");
  await userEvent.click(screen.getByRole("button", { name: "Both wrong" }));
  expect(screen.getByRole("columnheader", { name: /Both wrong/ })).toHaveAttribute("aria-sort", "descending");
  await userEvent.click(screen.getByRole("button", { name: "Both wrong" }));
  expect(await modelsShown()).toEqual(["a", "b", "c", "d"]);
  expect(router.state.location.search).toBe("?table=paper-1&slice=one");
});

test("a link with table, slice and sort opens what its sender saw", async () => {
  open("/leaderboard/paper-task?table=paper-2&slice=one&sort=one.f1");
  expect(await modelsShown()).toEqual(["b", "c", "a", "d"]);
  const tables = screen.getByRole("navigation", { name: "Table" });
  expect(within(tables).getByRole("link", { name: "Time" })).toHaveAttribute("aria-current", "true");
  const slices = screen.getByRole("navigation", { name: "Columns" });
  expect(within(slices).getByRole("link", { name: "One hop" })).toHaveAttribute("aria-current", "true");
});

test("many slices become a list to choose from", async () => {
  const slices = "abcdefg".split("").map((key) => ({ key, label: `Path ${key}` }));
  answers["/api/v1/leaderboards/paper-task"] = () => json(track([table({ slices })]));
  const router = open("/leaderboard/paper-task");
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Columns" }), "Path c");
  expect(router.state.location.search).toBe("?table=paper-1&slice=c");
});

test("settings are named where they tell rows apart", async () => {
  const rows = [row("1", "a", { "one.f1": "1.00" }, "with graph"), row("2", "a", { "one.f1": "2.00" }, "alone")];
  answers["/api/v1/leaderboards/paper-task"] = () => json(track([table({ rows })]));
  open("/leaderboard/paper-task?slice=one");
  expect(await modelsShown()).toEqual(["awith graph", "aalone"]);
});

test("an unknown track says so and still lists the tracks", async () => {
  open("/leaderboard/nothing");
  expect(await screen.findByText(/There is no track of this name/)).toBeInTheDocument();
  expect(screen.getAllByRole("link", { name: /Task/ })[0]).toHaveAttribute("href", "/leaderboard/paper-task");
});

test("a server that fails is named, and asked again on request", async () => {
  answers["/api/v1/leaderboards/paper-task"] = () => json({ detail: "The server is resting." }, 503);
  open("/leaderboard/paper-task");
  expect(await screen.findByRole("alert")).toHaveTextContent("The results could not be loaded: The server is resting.");
  answers["/api/v1/leaderboards/paper-task"] = () => json(detail);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("table")).toBeInTheDocument();
});

test("the shown table is handed over as a file", async () => {
  const made: Blob[] = [];
  const names: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    made.push(file as Blob);
    return "blob:here";
  });
  vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => undefined);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  open("/leaderboard/paper-task?slice=one");
  await userEvent.click(await screen.findByRole("button", { name: "Download CSV" }));
  expect(names).toEqual(["paper-task-paper-1-one.csv"]);
  expect(made[0]?.size).toBeGreaterThan(100);
});
