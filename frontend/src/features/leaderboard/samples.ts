/** Small tables for tests, shaped as the server sends them. */

import type { LeaderboardColumn, LeaderboardRow, LeaderboardTable, LeaderboardTrackDetail } from "@/api/contract";

export function column(slice: string, metric: "f1" | "wrong"): LeaderboardColumn {
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

export function row(id: string, model: string, texts: Record<string, string>, setting = ""): LeaderboardRow {
  const cells = Object.entries(texts).map(([key, text]) => ({
    column: key,
    value: text ? Number(text) : null,
    text,
    place: null,
  }));
  return { id, model, setting, model_label: model, setting_label: setting, provenance: "published", cells };
}

export function table(changes: Partial<LeaderboardTable> = {}): LeaderboardTable {
  const a = row("1", "a", { "one.f1": "10.00", "one.wrong": "5.00" });
  a.cells[1] = { column: "one.wrong", value: 5, text: "5.00", place: "second" };
  const c = row("3", "c", { "one.f1": "70.10", "one.wrong": "4.00", "two.f1": "1.00" });
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
    main_slice: "",
    slices: [
      { key: "one", label: "One hop" },
      { key: "two", label: "Two hops" },
    ],
    metrics: [
      { metric: "f1", label: "F1", about: "Precision and recall in one.", section: "Paper, section 1" },
      { metric: "wrong", label: "Both wrong", about: "Wrong twice.", section: "Paper, section 2" },
    ],
    columns: [column("one", "f1"), column("one", "wrong"), column("two", "f1"), column("two", "wrong")],
    rows: [
      a,
      row("2", "b", { "one.f1": "70.10", "one.wrong": "6.00" }),
      c,
      row("4", "d", { "one.f1": "", "one.wrong": "" }),
    ],
    ...changes,
  };
}

export function track(tables: LeaderboardTable[] = [table()]): LeaderboardTrackDetail {
  return { track: "paper-task", title: "Task", paper: "Paper", about: "Answer.", entries: 4, tables };
}
