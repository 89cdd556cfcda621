import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { CasePage, JudgedCase } from "@/domains/evaluation/cases";
import type { Result } from "@/domains/evaluation/queries";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { ResultCases } from "./ResultCases";

const RESULT = {
  submission: "one",
  metrics: [{ id: "match_hop2", label: "Accuracy, 2 hops" }, { id: "similar_m_hop2", label: "Accuracy, 2 hops, m" }],
} as Result;

function judged(position: number, outcome: string, prediction: string[], count = 2): JudgedCase {
  const names = Array.from({ length: Math.min(count, 50) }, (_, place) => `true ${place + 1}`);
  return {
    position, key: [`2s-${position}`], outcome, question: `Question ${position}?`, group: "Drug:Disease:Phenotype",
    prediction, prediction_count: prediction.length, gold: names, gold_count: count,
  };
}

function page(results: JudgedCase[], next: number | null = null, sweep: CasePage["sweep"] = []): CasePage {
  return {
    results, next, count: results.length,
    outcome_names: ["right", "plausible", "wrong"],
    outcomes: { right: 1, wrong: 2 },
    groups: { "Drug:Disease:Phenotype": 3 },
    sweep,
  };
}

const open = (query = "") => renderRoute([{ path: "/results/one", Component: () => <ResultCases result={RESULT} /> }], `/results/one${query}`);
const rowOf = (name: string) => screen.getByRole("row", { name: new RegExp(name) });

describe("cases of a result", () => {
  it("shows what was given beside the true answers, long lists folded", async () => {
    mockServer(() => jsonResponse(page([judged(0, "right", ["true 1"]), judged(1, "wrong", [], 80)])));
    open();
    await screen.findByRole("table", { name: "Cases" });
    expect(within(rowOf("Question 0")).getByText("right")).toBeVisible();
    expect(within(rowOf("Question 1")).getByText("none")).toBeVisible();
    expect(within(rowOf("Question 1")).getByText(/and 75 more/)).toBeVisible();
    expect(within(rowOf("Question 1")).getByText(/and 30 not listed/)).toBeInTheDocument();
    expect(screen.queryByText("By threshold of the cosine")).toBeNull();
  });

  it("filters by outcome and relation type, and writes them to the address", async () => {
    const requests = mockServer(() => jsonResponse(page([judged(0, "wrong", ["x"])])));
    const router = open("?group=Drug:Disease:Phenotype");
    await userEvent.selectOptions(await screen.findByLabelText("Outcome"), "wrong (2)");
    expect(router.state.location.search).toContain("outcome=wrong");
    expect(requests.at(-1)?.path).toBe("/api/v1/results/one/cases?outcome=wrong&group=Drug%3ADisease%3APhenotype");
    expect(screen.getByText("Nothing given matches, or nothing was given.")).toBeVisible();
  });

  it("loads the next part after the last case", async () => {
    const requests = mockServer(({ path }) =>
      jsonResponse(path.includes("after=4") ? page([judged(5, "wrong", ["x"])]) : page([judged(4, "right", ["y"])], 4)));
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Show more cases" }));
    expect(await screen.findByText("Question 5?")).toBeVisible();
    expect(screen.getByText("Question 4?")).toBeVisible();
    expect(requests.map(({ path }) => path)).toEqual(["/api/v1/results/one/cases?", "/api/v1/results/one/cases?after=4"]);
    expect(screen.queryByRole("button", { name: "Show more cases" })).toBeNull();
  });

  it("says that no case matches", async () => {
    mockServer(() => jsonResponse(page([])));
    open("?text=zzz");
    expect(await screen.findByText("No case matches these filters. Choose others.")).toBeVisible();
  });

  it("shows metrics of the cosine by threshold where there is an embedder", async () => {
    mockServer(() => jsonResponse(page([], null, [{ threshold: 0.1, values: { similar_m_hop2: 80 } }, { threshold: 0.9, values: { similar_m_hop2: 12.34 } }])));
    open();
    const table = await screen.findByRole("table", { name: "Metrics by threshold of the cosine" });
    expect(within(table).getByText("Accuracy, 2 hops, m")).toBeVisible();
    expect(within(table).queryByText("Accuracy, 2 hops")).toBeNull();
    expect(within(table).getByRole("row", { name: "0.9 12.3" })).toBeVisible();
  });
});
