import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { ModelPage } from "./ModelPage";

const MODEL = {
  slug: "mine", name: "Mine", organisation: "Lab", family: "", parameters: null, licence: "", training_cutoff: null,
  training_data: "", link: "", code: "", paper: "", is_baseline: false, is_simulated: false,
};
const RESULT = {
  submission: "first", release: "r", release_name: "Pairs", track: "truthhypo", track_title: "Hypotheses", split: "test", metric: "accuracy", metric_label: "Accuracy",
  unit: "percent", score: [50, 40, 60], rank_best: 1, rank_worst: 2, entries: 3, coverage: 1, cost_usd: null, latency_s: null, provenance: "evaluated", submitted_at: "2026-01-01T00:00:00Z",
};

function open(model: Partial<typeof MODEL>, evaluated: object[]) {
  mockServer(() => jsonResponse({ model: { ...MODEL, ...model }, can_change: false, evaluated, printed: [] }));
  renderRoute([{ path: "/models/:slug", Component: ModelPage }], "/models/mine");
}

it("states the training data as plain text, and what each result cost as declared", async () => {
  const statement = "Abstracts of 2024.\n<b>No</b> items of benchmarks.";
  open({ training_data: statement }, [{ ...RESULT, cost_usd: 2.5, latency_s: 0.25, coverage: 0.8 }, { ...RESULT, submission: "second", release_name: "Later" }]);
  const term = await screen.findByText("Training data, as stated");
  expect(term.nextElementSibling?.textContent).toBe(statement);
  const declared = screen.getByRole("row", { name: /Pairs/ });
  expect(declared).toHaveTextContent(/50.0 40.0 to 60.0 coverage 80%.*\$2.50.*0.25 s/);
  const plain = screen.getByRole("row", { name: /Later/ });
  expect(plain).not.toHaveTextContent("coverage");
  expect(plain).toHaveTextContent(/not given.*not given/);
});

it("has no statement where none was made", async () => {
  open({}, []);
  expect(await screen.findByRole("heading", { name: "Mine" })).toBeInTheDocument();
  expect(screen.queryByText(/Training data/)).not.toBeInTheDocument();
});
