import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { EmbeddedBoardPage } from "./EmbeddedBoardPage";

const metric = { id: "mrr", label: "MRR", unit: "fraction", direction: "higher", description: "" };
const row = (name: string, coverages: Record<string, number>) => ({
  submission: name, model: { slug: name, name, organisation: "", parameters: null }, anonymous_until: null, rank: { best: 1, worst: 2 },
  provenance: "evaluated", is_simulated: false, scores: { "mrr all": [0.5, 0.4, 0.6, 60] }, interval_reasons: {}, coverages,
});

it("states the coverage of an entry beside its score on another site's page too", async () => {
  mockServer(() => jsonResponse({
    release: "r", name: "Release", track: "t", metrics: [metric], main_metric: "mrr", overall: "all", created_at: null,
    results: [row("whole", {}), row("part", { "mrr all": 0.7 })],
  }));
  renderRoute([{ path: "/embed/board/:slug", Component: EmbeddedBoardPage }], "/embed/board/r");
  expect(await screen.findByRole("row", { name: /part/ })).toHaveTextContent("0.500 (0.400 to 0.600, coverage 70%)");
  expect(screen.getByRole("row", { name: /whole/ })).toHaveTextContent("0.500 (0.400 to 0.600)");
});
