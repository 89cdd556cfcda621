import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { makeJob } from "@/domains/jobs/fixtures";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { EnsemblesPage } from "./EnsemblesPage";
import type { Ensemble } from "./queries";

const SET = { id: "s1", name: "Drugs", questions: 4, graphs: [], methods: {}, is_demo: false, public: true, is_manager: true };
const endpoint = (id: string, model: string) => ({ id, name: id, model, price_in: "1", price_out: "2", size_label: id === "small" ? "135-million-parameter model" : "" });
const ENSEMBLE: Ensemble = {
  id: "e1", state: "ended", error: null, owner: "Cora", question_set: { id: "s1", name: "Drugs" }, endpoints: [{ name: "small", model: "m-1", size_label: "135-million-parameter model" }, { name: "large", model: "m-2", size_label: "" }],
  prompt_version: "1", result: { scored: 6, known: 2, failed: 0, partitions: 4, left_out: 1 }, job: "j1", budget: { amount: "1.000000", spent: "0.250000" },
  created_at: "2026-11-01T10:00:00Z", ended_at: "2026-11-01T10:05:00Z",
};

function open(ensembles: Ensemble[]) {
  const requests = mockServer(({ method, path }) => {
    if (path.startsWith("/api/v1/candidate-ensembles")) return method === "POST" ? jsonResponse(ENSEMBLE, 202) : jsonResponse({ next: null, results: ensembles });
    if (path === "/api/v1/question-sets") return jsonResponse({ results: [{ ...SET, id: "s0", name: "Of others", is_manager: false }, SET] });
    if (path === "/api/v1/endpoints") return jsonResponse({ results: [endpoint("small", "m-1"), endpoint("large", "m-2"), endpoint("twin", "m-1")] });
    if (path === "/api/v1/jobs/j1") return jsonResponse(makeJob({ id: "j1", state: "running", phase: "scoring candidates, 1 of 8", percent: 12 }));
    return undefined;
  });
  renderRoute([{ path: "/candidate-ensembles", Component: EnsemblesPage }], "/candidate-ensembles");
  return requests;
}

it("states who requested it, the models, what was scored and what it cost", async () => {
  open([ENSEMBLE]);
  expect(await screen.findByText(/Requested by/)).toHaveTextContent(/Requested by Cora, .*\$0.25 of \$1.00 spent. Models: small \(m-1, a 135-million-parameter model\) and large \(m-2\)\./);
  expect(screen.getAllByRole("option", { name: "small: m-1, a 135-million-parameter model" })).toHaveLength(3);
  expect(screen.getByText("4 questions partitioned. 6 answers of models stored, 2 stored before, 0 failed. 1 question left out, with one candidate or too many.")).toBeVisible();
});

it("requests a budget where a model has a price, and models that differ", async () => {
  const requests = open([]);
  const send = await screen.findByRole("button", { name: "Score candidates" });
  expect(send).toBeDisabled();
  await userEvent.type(screen.getByRole("textbox", { name: /Budget/ }), "0.5");
  expect(send).toBeEnabled();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Second model" }), "twin");
  expect(screen.getByText("Choose endpoints of different models.")).toBeVisible();
  expect(send).toBeDisabled();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Second model" }), "large");
  await userEvent.click(send);
  await waitFor(() => expect(requests.find(({ method }) => method === "POST")?.json).toEqual({ question_set: "s1", endpoints: ["small", "large"], budget: "0.5" }));
});

it("shows progress of one under way, and resumes one that failed with another budget", async () => {
  const error = { code: "USER_BUDGET_EXHAUSTED", detail: "The budget is used up.", errors: [] };
  const requests = open([{ ...ENSEMBLE, state: "queued", result: null }, { ...ENSEMBLE, id: "e2", state: "failed", error }]);
  expect(await screen.findByRole("progressbar", { name: "Progress: Ensemble" })).toHaveAttribute("aria-valuenow", "12");
  expect(screen.getByText("The budget is used up.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Resume" }));
  await waitFor(() => expect(requests.find(({ method }) => method === "POST")?.path).toBe("/api/v1/candidate-ensembles/e2/resume"));
});
