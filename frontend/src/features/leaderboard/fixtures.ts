/** Small tables for tests, shaped as the server sends them. */

import type { LeaderboardColumn, LeaderboardRow, LeaderboardTable, LeaderboardTrack, LeaderboardTrackDetail } from "@/api/contract";

export function makeColumn(slice: string, metric: "f1" | "wrong"): LeaderboardColumn {
  return {
    key: `${slice}.${metric}`,
    slice,
    metric,
    label: metric === "f1" ? "F1" : "Both wrong",
    direction: metric === "f1" ? "higher" : "lower",
    unit: "percent",
    scale: "%",
    decimals: 2,
  };
}

export function makeRow(id: string, model: string, texts: Record<string, string>, setting = ""): LeaderboardRow {
  const cells = Object.entries(texts).map(([key, text]) => ({
    column: key,
    value: text ? Number(text) : null,
    text,
    place: null,
  }));
  return { id, model, model_slug: null, model_name: null, sample: "", setting, model_label: model, setting_label: setting, provenance: "published", cells };
}

export function makeTable(changes: Partial<LeaderboardTable> = {}): LeaderboardTable {
  const a = makeRow("1", "a", { "one.f1": "10.00", "one.wrong": "5.00" });
  a.cells[1] = { column: "one.wrong", value: 5, text: "5.00", place: "second" };
  const c = makeRow("3", "c", { "one.f1": "70.10", "one.wrong": "4.00", "two.f1": "1.00" });
  c.cells[1] = { column: "one.wrong", value: 4, text: "4.00", place: "best" };
  return {
    id: "paper-1",
    name: "By hops",
    paper: "Paper",
    table: "1 upper",
    title: "Answers by hops",
    note: "One row is odd.",
    source: "Author et al. 2025.",
    source_url: "https://example.org/paper",
    year: 2025,
    main_column: "one.f1",
    is_ranked: true,
    slices: [
      { key: "one", label: "One hop" },
      { key: "two", label: "Two hops" },
    ],
    metrics: [
      { metric: "f1", label: "F1", description: "Precision and recall in one.", section: "Paper, section 1" },
      { metric: "wrong", label: "Both wrong", description: "Wrong twice.", section: "Paper, section 2" },
    ],
    columns: [makeColumn("one", "f1"), makeColumn("one", "wrong"), makeColumn("two", "f1"), makeColumn("two", "wrong")],
    rows: [
      a,
      makeRow("2", "b", { "one.f1": "70.10", "one.wrong": "6.00" }),
      c,
      makeRow("4", "d", { "one.f1": "", "one.wrong": "" }),
    ],
    ...changes,
  };
}

export function makeTrack(tables: LeaderboardTable[] = [makeTable()]): LeaderboardTrackDetail {
  return { track: "paper-task", title: "Task", paper: "Paper", description: "Answer.", entries: 4, figures: [], tables };
}

/** A track in the overview: one model evaluated here, one as printed. */
export function makeOverview(): LeaderboardTrack {
  const entry = { name: "b", slug: null, note: "alone", text: "70.10", rank_best: 1, rank_worst: 1, value: 70.1, low: null, high: null, interval: "", submission: null, is_simulated: false };
  const board = {
    id: "paper-1", title: "Answers by hops", metric_label: "F1", part: "", unit: "percent", scale: "%", high: 100,
    items: null, date: "2025", entries: 4, simulated: 0, reference: null, best: [entry],
  };
  return {
    track: "paper-task", title: "Task", paper: "Paper", description: "Answer.", tables: 2, entries: 4, models: 3,
    printed: board,
    evaluated: {
      ...board, id: "release", title: "Release", items: 60, date: "2026-11-22", entries: 2, simulated: 1, reference: { name: "Baseline: random", value: 12 },
      best: [{ ...entry, name: "Own model", note: "", text: "70.0", rank_worst: 2, value: 70, low: 65, high: 75, interval: "65.0 to 75.0", submission: "s1", is_simulated: true }],
    },
  };
}
