import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { makeColumn, makeOverview, makeRow, makeTable, makeTrack } from "./fixtures";
import { LeaderboardPage } from "./LeaderboardPage";

const detail = makeTrack([makeTable(), makeTable({ id: "paper-2", name: "Time", title: "Time to answer", main_column: "two.f1" })]);
const listed = makeOverview();
let answers: Record<string, () => globalThis.Response | Promise<globalThis.Response>>;

function json(body: unknown, status = 200): globalThis.Response {
  return new globalThis.Response(JSON.stringify(body), { status });
}

beforeEach(() => {
  answers = { "/api/v1/leaderboards": () => json({ results: [listed] }), "/api/v1/leaderboards/paper-task": () => json(detail) };
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(answers[path]?.() ?? json({ status: 404, code: "not_found", detail: "Nothing." }, 404)),
  );
});

function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: "/leaderboard", Component: LeaderboardPage },
      { path: "/leaderboard/:track", Component: LeaderboardPage },
    ],
    { initialEntries: [address] },
  );
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={queries}><RouterProvider router={router} /></QueryClientProvider>);
  return router;
}

async function modelsShown(): Promise<(string | null)[]> {
  const rows = within(await screen.findByRole("table")).getAllByRole("rowheader");
  return rows.map(({ textContent }) => textContent);
}

test("the leaderboard without a track names the best models of each, evaluated here apart from printed ones", async () => {
  open("/leaderboard");
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Leaderboard");
  const here = screen.getByRole("list", { name: "Paper, Task: evaluated here" });
  expect(within(here).getAllByRole("listitem")[0]).toHaveTextContent("1 to 2 Own model simulated 70.0 65.0 to 75.0");
  const printed = screen.getByRole("list", { name: "Paper, Task: as printed" });
  expect(within(printed).getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["1 b alone 70.10"]);
  expect(screen.getByText("F1, % · n = 60 · 2 entries, 1 of them simulated · 22 November 2026")).toBeInTheDocument();
  expect(screen.getByText(/Baseline: random/)).toHaveTextContent("Baseline: random: 12.0");
  expect(screen.getByRole("link", { name: /^Task, 3 models/ })).toHaveAttribute("href", "/leaderboard/paper-task");
});

test("printed figures stand in their own column, also where nothing is evaluated here", async () => {
  answers["/api/v1/leaderboards"] = () => json({ results: [{ ...listed, evaluated: null }] });
  open("/leaderboard");
  const empty = await screen.findByText("Not evaluated here yet.");
  const printed = screen.getByRole("list", { name: "Paper, Task: as printed" });
  expect(empty.compareDocumentPosition(printed)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test("a reader sees one column, best first, with its unit and source, and no word that is the same in every row", async () => {
  open("/leaderboard/paper-task");
  const shown = await screen.findByRole("table", { name: "Paper, Table 1, upper part: Answers by hops" });
  expect(await modelsShown()).toEqual(["b", "c", "a", "d"]);
  expect(within(shown).getAllByText("70.10")).toHaveLength(2);
  expect(within(shown).queryByText("published")).toBeNull();
  expect(within(shown).getByText("not given")).toBeInTheDocument();
  expect(screen.getByText(/Per cent, higher is better/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: /Author et al/ })).toHaveAttribute("href", "https://example.org/paper");
  expect(screen.getByText("One row is odd.")).toBeInTheDocument();
});

test("printed results wait for the releases, whose board would push them down", async () => {
  let answerReleases: (response: globalThis.Response) => void = () => undefined;
  answers["/api/v1/releases?limit=200"] = () => new Promise((resolve) => { answerReleases = resolve; });
  open("/leaderboard/paper-task");
  await screen.findByText(/^Track:/);
  expect(screen.getByRole("status", { name: "Loading results" })).toBeInTheDocument();
  expect(screen.queryByRole("heading", { name: "As printed" })).toBeNull();
  answerReleases(json({ results: [], next: null, previous: null }));
  expect(await screen.findByRole("heading", { name: "As printed" })).toBeInTheDocument();
});

test("the whole table has every column, with the marks in words", async () => {
  open("/leaderboard/paper-task?printed=all");
  const shown = await screen.findByRole("table", { name: "Paper, Table 1, upper part: Answers by hops" });
  expect(within(shown).getByText("4.00").parentElement).toHaveTextContent("4.00 best");
  expect(within(shown).getByText("5.00").parentElement).toHaveTextContent("5.00 second");
  expect(within(shown).getAllByRole("columnheader", { name: /Both wrong/ })[0]).toHaveTextContent("lower is better");
});

test("a name that the paper spells otherwise has a note, and a sample is set apart", async () => {
  const rows = [
    { ...makeRow("1", "Gamma", { "one.f1": "1.00" }), model_slug: "gemma", model_name: "Gemma" },
    { ...makeRow("2", "b", { "one.f1": "9.00" }), sample: "10 %" },
  ];
  answers["/api/v1/leaderboards/paper-task"] = () => json(makeTrack([makeTable({ rows })]));
  open("/leaderboard/paper-task");
  expect(await modelsShown()).toEqual(["Gemmaprinted as Gamma", "bover a sample of 10 %, not ranked"]);
});

test("pressing a head turns the order, and the address carries it", async () => {
  const router = open("/leaderboard/paper-task?metric=wrong");
  expect(await modelsShown()).toEqual(["c", "a", "b", "d"]);
  expect(screen.getByRole("columnheader", { name: /Both wrong/ })).toHaveAttribute("aria-sort", "ascending");
  await userEvent.click(screen.getByRole("button", { name: "Both wrong" }));
  expect(screen.getByRole("columnheader", { name: /Both wrong/ })).toHaveAttribute("aria-sort", "descending");
  expect(await modelsShown()).toEqual(["b", "a", "c", "d"]);
  expect(router.state.location.search).toBe("?table=paper-1&slice=one&metric=wrong&first=worst");
});

test("a link with table, measure and items opens what its sender saw", async () => {
  open("/leaderboard/paper-task?table=paper-2&slice=two&metric=f1");
  expect(await modelsShown()).toEqual(["c", "a", "b", "d"]);
  for (const [name, link] of [["Table", "Time"], ["Items", "Two hops"], ["Measure", "F1"], ["Columns", "One column"]] as const) {
    const options = screen.getByRole("navigation", { name });
    expect(within(options).getByRole("link", { name: link })).toHaveAttribute("aria-current", "true");
  }
});

test("many slices become a list to choose from", async () => {
  const slices = "abcdefg".split("").map((key) => ({ key, label: `Path ${key}` }));
  const columns = slices.map(({ key }) => ({ ...makeColumn("one", "f1"), slice: key, key: `${key}.f1` }));
  answers["/api/v1/leaderboards/paper-task"] = () => json(makeTrack([makeTable({ slices, columns, main_column: "a.f1" })]));
  const router = open("/leaderboard/paper-task");
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Items" }), "Path c");
  expect(router.state.location.search).toBe("?table=paper-1&slice=c&metric=f1");
});

test("settings are named where they tell rows apart", async () => {
  const rows = [makeRow("1", "a", { "one.f1": "1.00" }, "with graph"), makeRow("2", "a", { "one.f1": "2.00" }, "alone")];
  answers["/api/v1/leaderboards/paper-task"] = () => json(makeTrack([makeTable({ rows })]));
  open("/leaderboard/paper-task");
  expect(await modelsShown()).toEqual(["aalone", "awith graph"]);
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
  const files: Blob[] = [];
  const names: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    files.push(file as Blob);
    return "blob:here";
  });
  vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => undefined);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  open("/leaderboard/paper-task");
  await userEvent.click(await screen.findByRole("button", { name: "Download CSV" }));
  expect(names).toEqual(["paper-task-paper-1-one-f1.csv"]);
  expect(files[0]?.size).toBeGreaterThan(100);
});
