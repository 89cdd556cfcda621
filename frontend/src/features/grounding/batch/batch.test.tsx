import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { BatchPage } from "./BatchPage";
import type { Corrected, GroundingBatch } from "./queries";

const figure = (value: number, low: number | null, high: number | null, n = 60) => ({ value, low, high, n, is_approximate: false });
const JUDGED: Corrected = {
  source: "both", rationales: 40, undefined: 2, claims: 120, raw: 0.64, corrected: figure(0.59, 0.5, 0.68), reason: "", people: figure(0.57, 0.44, 0.7),
  lambda_value: 0.7, effective_verdicts: 104.2, chosen: 80, verified: 60, waiting: 20, not_sure: 3, excluded: 1, is_final: false,
  kappa: figure(0.62, 0.4, 0.8), kappa_reason: "", agreement: figure(0.82, 0.7, 0.9), more_to_halve: 40, plan: "40 more verified claims halve this interval.",
  confusion: [{ group: "Drug and Gene", verdicts: 60, both: 30.5, people_alone: 4, verifier_alone: 7.5, neither: 18, false_support: figure(0.29, 0.1, 0.5), missed_support: null }],
  reliability: [{ low: 0, high: 0.1, verdicts: 20, score: 0, observed: figure(0.2, null, null) }, { low: 0.9, high: 1, verdicts: 40, score: 1, observed: figure(0.8, 0.7, 0.9) }],
  calibration_error: 0.2, has_probabilities: false,
  studies: [{ id: "s1", name: "Round one", status: "open", rule: "random", budget: 80, seed: 7 }],
};
const EMPTY: Corrected = {
  ...JUDGED, corrected: null, people: null, lambda_value: null, effective_verdicts: null, chosen: 0, verified: 0, waiting: 0, not_sure: 0, excluded: 0, kappa: null, agreement: null,
  more_to_halve: null, plan: "", confusion: [], reliability: [], calibration_error: null, studies: [], reason: "No study verifies claims of this batch from this source yet. Coordinators can make one.",
};
const BATCH: GroundingBatch = {
  batch: "b1", groundings: 43, ended: 42, failed: 1, graph: "demo", graph_name: "Demo graph", literature: "Demo papers", verifier: "plain", verifier_version: "3", model: "", model_size: "",
  may_make_study: true, sources: [JUDGED],
};

function open(batch: GroundingBatch, posted: unknown[] = [], refusal?: string) {
  mockServer(({ method, path, json }) => {
    if (path === "/api/v1/grounding-batches/b1") return jsonResponse(batch);
    if (path === "/api/v1/grounding-batches/b1/studies" && method === "POST") {
      posted.push(json);
      return refusal ? problemResponse(409, "choice_not_random", refusal) : jsonResponse({ id: "s2", name: "Verify", questions: 50, seed: 1 }, 201);
    }
    return undefined;
  });
  renderRoute([{ path: "/grounding-batches/:id", Component: BatchPage }], "/grounding-batches/b1");
}

describe("a batch of groundings", () => {
  it("states the corrected share with interval, plan and what it rests on", async () => {
    open(BATCH);
    const section = await screen.findByRole("region", { name: "Both together" });
    expect(section).toHaveTextContent("Corrected groundedness: 59%, 95% interval 50% to 68%, from 60 verified claims. 40 more verified claims halve this interval.");
    expect(section).toHaveTextContent("The verifier alone64%");
    expect(section).toHaveTextContent("0.62, 95% interval 0.40 to 0.80, n = 60");
    expect(section).toHaveTextContent("as precise as 104 verified claims without the verifier");
    expect(section).toHaveTextContent("3 answers, which count as none");
    expect(section).toHaveTextContent("The study is open.");
    const table = within(section).getByRole("table");
    expect(within(table).getByRole("row", { name: /Drug and Gene 30.5 4 7.5 18 29% none/ })).toBeInTheDocument();
    expect(within(section).getByRole("link", { name: "Round one" })).toHaveAttribute("href", "/studies/s1");
    expect(section).toHaveTextContent("Not supported, n = 20");
  });

  it("says why there is no corrected share", async () => {
    open({ ...BATCH, sources: [EMPTY], may_make_study: false });
    expect(await screen.findByText(/No study verifies claims of this batch/)).toBeInTheDocument();
    expect(screen.queryByText(/Corrected groundedness/)).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Make a study of claims" })).not.toBeInTheDocument();
  });

  it("makes a study of as many claims as are stated", async () => {
    const posted: unknown[] = [];
    open(BATCH, posted);
    await userEvent.click(await screen.findByRole("button", { name: "Make a study of claims" }));
    await userEvent.type(screen.getByLabelText("Name of the study"), "Verify");
    const claims = screen.getByLabelText("Claims to verify");
    await userEvent.clear(claims);
    await userEvent.type(claims, "0");
    expect(screen.getByText("Write a number from 1 to 2000.")).toBeInTheDocument();
    await userEvent.clear(claims);
    await userEvent.type(claims, "50");
    expect(screen.queryByRole("option", { name: /unsure/ })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Make the study" }));
    expect(posted).toEqual([{ name: "Verify", claims: 50, overlap: 3, rule: "random", source: "both" }]);
    expect(await screen.findByRole("button", { name: "Make a study of claims" })).toBeInTheDocument();
  });

  it("offers the active choice where the verifier states probabilities, and shows a refusal", async () => {
    const posted: unknown[] = [];
    open({ ...BATCH, sources: [{ ...JUDGED, has_probabilities: true }] }, posted, "Another study has claims of this batch.");
    await userEvent.click(await screen.findByRole("button", { name: "Make a study of claims" }));
    await userEvent.type(screen.getByLabelText("Name of the study"), "Verify");
    await userEvent.selectOptions(screen.getByLabelText("Which claims"), "active");
    await userEvent.click(screen.getByRole("button", { name: "Make the study" }));
    expect(await screen.findByText("Another study has claims of this batch.")).toBeInTheDocument();
    expect(posted).toMatchObject([{ rule: "active" }]);
  });
});
