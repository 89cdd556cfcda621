import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { StatisticsFigure, StudyStatistics } from "@/api/contract";
import { makeDashboard, makeExpert } from "../fixtures";
import { expertLabel, intervalLabel, pValueLabel, valueLabel } from "./labels";
import { StatisticsTab } from "./StatisticsTab";

afterEach(() => vi.unstubAllGlobals());

function makeFigure(more: Partial<StatisticsFigure> = {}): StatisticsFigure {
  return {
    name: "tau_b", label: "Kendall's tau-b", value: 0.4123, n: 30, unit: "questions", method: "tau-b (Kendall, 1990)",
    low: 0.21, high: 0.5, reason: "", interval_reason: "", is_sequence: false, p_value: null, adjusted_p: null,
    is_flagged: false, expert: "", note: "", question: "", ...more,
  };
}

function open(statistics: StudyStatistics, status: "open" | "closed" = "closed") {
  vi.stubGlobal("fetch", () => Promise.resolve(new globalThis.Response(JSON.stringify(statistics), { status: 200 })));
  const dashboard = makeDashboard({ study: { ...makeDashboard().study, status }, experts: [makeExpert()] });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={queries}><StatisticsTab dashboard={dashboard} /></QueryClientProvider>);
}

const COMPUTED = "2026-03-02T10:00:00Z";

test("each figure has its number, interval, n and method", async () => {
  const flagged = makeFigure({ name: "drift", label: "Change", value: -0.3, low: null, high: null, interval_reason: "A test.", p_value: 0.001, adjusted_p: 0.02, is_flagged: true, expert: "expert-1", n: 40, unit: "answers" });
  open({ sections: [{ name: "agreement", title: "Agreement", note: "Two or more.", figures: [makeFigure(), flagged] }], computed_at: COMPUTED, stale: false });
  const table = await screen.findByRole("table", { name: "Figures: Agreement" });
  const first = within(table).getByRole("row", { name: /tau-b/ });
  for (const text of ["0.41", "0.21 to 0.50", "30 questions"]) expect(within(first).getByText(text)).toBeInTheDocument();
  const second = within(table).getByRole("row", { name: /Change/ });
  for (const text of ["Dr Ada", "look at it", "0.0200 (adjusted)", "A test."]) expect(within(second).getByText(text)).toBeInTheDocument();
  expect(screen.getByText("tau-b (Kendall, 1990)")).toBeInTheDocument();
  expect(screen.queryByText(/The study is open/)).not.toBeInTheDocument();
});

test("an open study explains which intervals are missing", async () => {
  open({ sections: [], computed_at: COMPUTED, stale: true }, "open");
  expect(await screen.findByText(/only shares have intervals/)).toBeInTheDocument();
  expect(screen.getByText(/There are newer answers/)).toBeInTheDocument();
  expect(screen.getByText("This kind of study has no statistics yet.")).toBeInTheDocument();
});

test("statistics that were never computed are announced", async () => {
  open({ sections: null, computed_at: null, stale: true });
  expect(await screen.findByRole("status")).toHaveTextContent("being computed");
});

test("counts are whole numbers, missing numbers have their reason, small p a bound", () => {
  expect(valueLabel(makeFigure({ value: 33 }))).toBe("33");
  expect(valueLabel(makeFigure({ value: null }))).toBe("none");
  expect(intervalLabel(makeFigure({ value: null, low: null, high: null, reason: "No answers.", interval_reason: "No answers." }))).toBe("No answers.");
  expect(pValueLabel(makeFigure({ p_value: 0.00001 }))).toBe("< 0.0001");
  expect(pValueLabel(makeFigure())).toBe("");
  expect(expertLabel("gone", [])).toBe("An expert who left the study");
});

test("a long table shows its first figures and the flagged ones, and all on request", async () => {
  const figures = Array.from({ length: 25 }, (_, at) => makeFigure({ name: `bias_${at}`, label: `Bias ${at}`, is_flagged: at === 20 }));
  open({ sections: [{ name: "raters", title: "Raters", note: "", figures }], computed_at: COMPUTED, stale: false });
  const table = await screen.findByRole("table", { name: "Figures: Raters" });
  const shown = () => within(table).getAllByRole("rowheader").map((cell) => cell.textContent.trim());
  expect(shown()).toEqual([...Array.from({ length: 10 }, (_, at) => `Bias ${at}`), "Bias 20 look at it"]);
  await userEvent.click(screen.getByRole("button", { name: "Show all 25 figures", expanded: false }));
  expect(shown()).toHaveLength(25);
  await userEvent.click(screen.getByRole("button", { name: "Show fewer figures", expanded: true }));
  expect(shown()).toHaveLength(11);
});
