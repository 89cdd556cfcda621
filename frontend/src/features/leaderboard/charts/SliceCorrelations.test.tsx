import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { MetricCorrelations } from "@/api/contract";
import { PrintedCorrelations } from "./SliceCorrelations";

const SEREN_HIT: MetricCorrelations = {
  metric: { id: "seren_hit", label: "SerenHit", unit: "fraction" },
  slices: ["llm", "expert", "rns"],
  pairs: [
    { first: "llm", second: "expert", correlation: 0.8978, n: 18, reason: "" },
    { first: "llm", second: "rns", correlation: 0.8705, n: 18, reason: "" },
    { first: "expert", second: "rns", correlation: 0.9903, n: 18, reason: "" },
  ],
  entries: [
    { submission: null, name: "DeepSeek-V3", setting: "with-summary", values: [0.048, 0.061, 0.077] },
    { submission: null, name: null, setting: "", values: [0.1, null, 0.2] },
  ],
};

function show(metrics: MetricCorrelations[]) {
  vi.stubGlobal("fetch", () => Promise.resolve(new globalThis.Response(JSON.stringify({ track: "serenqa-exploration", metrics }))));
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(<QueryClientProvider client={queries}><PrintedCorrelations track="serenqa-exploration" /></QueryClientProvider>);
}

it("draws three correlations as a triangle with text and data beside it", async () => {
  show([SEREN_HIT]);
  expect(await screen.findByRole("img", { name: "SerenHit: correlations between three parts of the items" })).toBeInTheDocument();
  expect(screen.getByText("expert and rns: r = 0.9903 (18 entries)")).toBeInTheDocument();
  await userEvent.click(screen.getByText("The values of this chart"));
  const rows = within(screen.getByRole("table", { name: "SerenHit by part of the items" })).getAllByRole("row");
  expect(rows[1]).toHaveTextContent("DeepSeek-V3, with-summary");
  expect(rows[2]).toHaveTextContent("Anonymous entry");
  expect(rows[2]).toHaveTextContent("no score");
});

it("says why a correlation is missing, without a drawing", async () => {
  const pairs = [{ first: "llm", second: "expert", correlation: null, n: 2, reason: "too_few_entries" }];
  show([{ ...SEREN_HIT, slices: ["llm", "expert"], pairs, entries: [] }]);
  expect(await screen.findByText("llm and expert: needs three entries (2 entries)")).toBeInTheDocument();
  expect(screen.queryByRole("img")).toBeNull();
});

it("says where one part contains the other, and that parts may share items", async () => {
  const pairs = [{ first: "one-hop", second: "pattern-1.1", correlation: null, n: 0, reason: "contained" }];
  show([{ ...SEREN_HIT, slices: ["one-hop", "pattern-1.1"], pairs, entries: [] }]);
  expect(await screen.findByText("one-hop and pattern-1.1: not computed, as one contains the other")).toBeInTheDocument();
  expect(screen.getByText(/Parts may share items, which raises r; where one contains the other, there is none\./)).toBeInTheDocument();
});

it("is not there for a track without parts", async () => {
  const { container } = show([]);
  await vi.waitFor(() => expect(container).toBeEmptyDOMElement());
});
