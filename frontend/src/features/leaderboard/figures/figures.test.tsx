import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Figure, FigureEntry } from "@/api/contract";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { makeTrack } from "../fixtures";
import { FigureSections } from "./FigureSections";
import { chooseEntries, declineSentence, leaderSentence, sharedAxes } from "./figureData";
import { radarPoint } from "./radar";

const AXES = ["one-hop", "two-hop", "intersection"].map((slice) => ({
  key: `t f1 ${slice}`, track: "t", track_title: "Retrieval", metric: "f1", label: "F1", slice, unit: "percent", low: 0, high: 100, lower_is_better: false,
}));

function entry(name: string | null, kind: FigureEntry["kind"], scores: (number | null)[], parameters: number | null = 7e9): FigureEntry {
  return {
    id: `${kind} ${name}`, name, model: null, setting: "", kind, parameters, source: "Paper, Table 2",
    values: scores.flatMap((value, at) => (value === null ? [] : [{ axis: AXES[at]?.key ?? "", value, low: null, high: null, slice: AXES[at]?.slice ?? "", setting: "", source: "Paper, Table 2", submission: null }])),
  };
}

const FIGURE: Figure = {
  figure: "complexity", track: "paper-task", paper: "Paper", axes: AXES, left_out: 0,
  entries: [entry("Large", "printed", [80, 40, 20], 7e10), entry("Small", "printed", [60, 30, 10]), entry("Noise", "simulated", [90, null, 50]), entry(null, "evaluated", [70, 35, 5])],
};

function open(address: string, figure: Figure = FIGURE) {
  const requests = mockServer(({ path }) => (path.includes("/figures/") ? jsonResponse(figure) : undefined));
  const track = { ...makeTrack(), figures: ["scale", "profile", "complexity"] };
  renderRoute([{ path: "/leaderboard/:track", Component: () => <FigureSections track={track} release="board" /> }], address);
  return requests;
}

it("reads a figure once it is opened, of the release that the board shows", async () => {
  const requests = open("/leaderboard/paper-task");
  expect(requests).toEqual([]);
  await userEvent.click(screen.getByText("Score by the complexity of the question"));
  expect(await screen.findByRole("group", { name: "F1 from simple to complex questions" })).toBeInTheDocument();
  expect(requests.map(({ path }) => path)).toEqual(["/api/v1/leaderboards/paper-task/figures/complexity?release=board"]);
});

it("has its text and its table beside the lines, and tells printed entries from others", async () => {
  open("/leaderboard/paper-task?figure=complexity");
  expect(await screen.findByText(/The mean F1 of 2 entries as printed is 70\.0 on one-hop and 15\.0 on intersection questions\./)).toBeInTheDocument();
  const rows = within(screen.getByRole("table", { name: "F1 by the complexity of the question" })).getAllByRole("row").slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    " Largeas printed, Paper, Table 280.040.020.0", " Smallas printed, Paper, Table 260.030.010.0",
    " Noisesimulated, Paper, Table 290.0none50.0", " Anonymous entryevaluated here, Paper, Table 270.035.05.0",
  ]);
});

it("breaks a line where the entry has no score, and states why", async () => {
  open("/leaderboard/paper-task?figure=complexity&lines=simulated+Noise&lines=printed+Large");
  const chart = await screen.findByRole("group", { name: "F1 from simple to complex questions" });
  const moves = [...chart.querySelectorAll("path[data-place]")].map((line) => line.getAttribute("d")?.replace(/[^MLh]/g, ""));
  expect(moves.filter((one) => one === "MhMh")).toHaveLength(1);
  expect(moves.filter((one) => one === "MLL")).toHaveLength(1);
  expect(screen.getByText(/A line has a gap where an entry has no score or the board hides it/)).toBeInTheDocument();
});

it("says nothing of gaps where there are none", async () => {
  open("/leaderboard/paper-task?figure=complexity", { ...FIGURE, entries: FIGURE.entries.filter(({ name }) => name !== "Noise") });
  await screen.findByRole("group", { name: "F1 from simple to complex questions" });
  expect(screen.queryByText(/has a gap/)).toBeNull();
});

it("is one stop of the Tab key, whose arrow keys go from mark to mark", async () => {
  open("/leaderboard/paper-task?figure=complexity");
  const chart = await screen.findByRole("group", { name: "F1 from simple to complex questions" });
  const marks = within(chart).getAllByRole("img");
  expect(marks.filter(({ tabIndex }) => tabIndex === 0)).toEqual([marks[0]]);
  marks[0]?.focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(marks[1]).toHaveFocus();
  expect(marks[1]).toHaveAccessibleName("two-hop: Large, 70 billion, as printed: 40.0");
  expect(screen.getByText("two-hop: Large, 70 billion, as printed: 40.0")).toBeInTheDocument();
  await userEvent.keyboard("{End}");
  expect(marks.at(-1)).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  expect(marks[0]).toHaveFocus();
});

it("draws a radar of what all chosen entries have, with the numbers beside it", async () => {
  open("/leaderboard/paper-task?figure=profile&profile=printed+Large&profile=printed+Small");
  const chart = await screen.findByRole("group", { name: "Radar of the metrics that all chosen entries have" });
  expect(within(chart).getAllByRole("img")).toHaveLength(6);
  const rows = within(screen.getByRole("table", { name: "Metrics of the chosen entries" })).getAllByRole("row").slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "1 F1Retrieval, one-hop, 0 to 10080.060.0", "2 F1Retrieval, two-hop, 0 to 10040.030.0", "3 F1Retrieval, intersection, 0 to 10020.010.0",
  ]);
});

it("has no radar where an entry lacks a metric", async () => {
  open("/leaderboard/paper-task?figure=profile&profile=simulated+Noise");
  expect(await screen.findByText(/A radar needs three metrics/)).toBeInTheDocument();
  expect(screen.queryByRole("group", { name: /^Radar/ })).toBeNull();
});

it("shows scores against sizes for the items that are asked for", async () => {
  open("/leaderboard/paper-task?figure=scale&of=f1&over=intersection");
  expect(await screen.findByRole("group", { name: "F1 on intersection against parameters" })).toBeInTheDocument();
  expect(screen.getByText(/the largest is also the best: Large, 70 billion, as printed: 20\.0/)).toBeInTheDocument();
  await userEvent.selectOptions(screen.getByLabelText("Items"), "one-hop");
  expect(await screen.findByRole("group", { name: "F1 on one-hop against parameters" })).toBeInTheDocument();
});

it("says so where no entry has values", async () => {
  open("/leaderboard/paper-task?figure=scale", { ...FIGURE, axes: [], entries: [] });
  expect(await screen.findByText("No entry has values for this figure yet.")).toBeInTheDocument();
});

it("compares the entries that are asked for, else those with the most values", () => {
  expect(chooseEntries(FIGURE, ["simulated Noise", "gone"]).map(({ name }) => name)).toEqual(["Noise"]);
  expect(chooseEntries(FIGURE, []).map(({ name }) => name)).toEqual(["Large", "Small", null]);
  expect(sharedAxes(AXES, chooseEntries(FIGURE, ["simulated Noise"])).map(({ slice }) => slice)).toEqual(["one-hop", "intersection"]);
});

it("puts the same into words", () => {
  expect(leaderSentence(FIGURE, "printed")).toBe("Of the entries as printed, Large leads on 3 of 3 metrics.");
  expect(declineSentence({ ...FIGURE, entries: [] }, AXES)).toBe("");
  const top = radarPoint(0, 4, 10, { x: 0, y: 0 });
  const right = radarPoint(1, 4, 10, { x: 0, y: 0 });
  expect([top.x, top.y, right.x, right.y].map((value) => Math.round(value))).toEqual([0, -10, 10, 0]);
});
