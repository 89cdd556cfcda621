import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { BatchPage } from "./BatchPage";
import type { Corrected, GroundingBatch } from "./queries";

const figure = (value: number, low: number | null, high: number | null, n = 60) => ({ value, low, high, n, is_approximate: false });
const JUDGED: Corrected = {
  source: "both", rationales: 40, undefined: 2, failed: 1, claims: 120, raw: 0.64, raw_at_least: 0.62, corrected_at_least: 0.57, corrected: figure(0.59, 0.5, 0.68), reason: "", people: figure(0.57, 0.44, 0.7),
  lambda_value: 0.7, effective_verdicts: 104.2, chosen: 80, verified: 60, simulated: 0, waiting: 20, not_sure: 3, excluded: 1, is_final: false,
  kappa: figure(0.62, 0.4, 0.8), kappa_reason: "", agreement: figure(0.82, 0.7, 0.9), more_to_halve: 40, plan: "40 more verified claims halve this interval.",
  confusion: [{ group: "Drug and Gene", verdicts: 60, both: 30.5, people_alone: 4, verifier_alone: 7.5, neither: 18, false_support: figure(0.29, 0.1, 0.5), missed_support: null }],
  reliability: [{ low: 0, high: 0.1, verdicts: 20, score: 0, observed: figure(0.2, null, null) }, { low: 0.9, high: 1, verdicts: 40, score: 1, observed: figure(0.8, 0.7, 0.9) }],
  calibration_error: 0.2, error_by_chance: 0.05, calibration_p: 0.002, has_probabilities: false, with_probability: 60, takes_active_choice: false,
  studies: [{ id: "s1", name: "Round one", status: "open", rule: "random", budget: 80, seed: 7 }],
};
const EMPTY: Corrected = {
  ...JUDGED, corrected: null, corrected_at_least: null, people: null, lambda_value: null, effective_verdicts: null, chosen: 0, verified: 0, simulated: 0, waiting: 0, not_sure: 0, excluded: 0, kappa: null, agreement: null,
  more_to_halve: null, plan: "", confusion: [], reliability: [], calibration_error: null, error_by_chance: null, calibration_p: null, with_probability: 0, studies: [], reason: "No study verifies claims of this batch from this source yet. Its owner makes one, with the role of a coordinator, which administrators give.",
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
      return refusal ? problemResponse(409, "choice_not_continued", refusal) : jsonResponse({ id: "s2", name: "Verify", questions: 50, seed: 1 }, 201);
    }
    return undefined;
  });
  renderRoute([{ path: "/grounding-batches/:id", Component: BatchPage }], "/grounding-batches/b1");
}

describe("a batch of groundings", () => {
  it("states the corrected share with interval, plan and what it rests on", async () => {
    open(BATCH);
    const section = await screen.findByRole("region", { name: "Graph and papers" });
    expect(section).toHaveTextContent("Corrected groundedness: 59%, 95% interval 50% to 68%, from 60 verified claims. 40 more verified claims halve this interval.");
    expect(section).toHaveTextContent("The verifier alone64%");
    expect(section).not.toHaveTextContent("approximate");
    expect(section).toHaveTextContent("0.62, 95% interval 0.40 to 0.80, n = 60");
    expect(section).toHaveTextContent("as precise as 104 verified claims without the verifier");
    expect(section).toHaveTextContent("3 answers, which count as none");
    expect(section).toHaveTextContent("1, in no figure. If these count as 0, the verifier's share is 62% and the corrected one 57%");
    expect(section).toHaveTextContent("The study is open.");
    const table = within(section).getByRole("table");
    expect(within(table).getByRole("row", { name: /Drug and Gene 30.5 4 7.5 18 29%, 95% interval 10% to 50%, n = 60 none/ })).toBeInTheDocument();
    expect(within(section).getByRole("link", { name: "Round one" })).toHaveAttribute("href", "/studies/s1");
    expect(section).toHaveTextContent("A claim whose experts differ counts in parts, as in 3.7. The rates weigh each rationale alike");
    expect(section).toHaveTextContent("Not supported, n = 20");
    expect(within(section).getByText("Seed numbers of the random choices").closest("details")).not.toHaveAttribute("open");
  });

  it("marks an interval by few rationales or few disagreements", async () => {
    open({ ...BATCH, sources: [{ ...JUDGED, people: { ...figure(0.6, 0.4, 0.8), is_approximate: true } }] });
    const section = await screen.findByRole("region", { name: "Graph and papers" });
    expect(section).toHaveTextContent("Experts' verdicts alone60% (40% to 80%, approximate)");
  });

  it("states the mean of each bar, the claims without a probability and what chance gives", async () => {
    open({ ...BATCH, sources: [{ ...JUDGED, has_probabilities: true, with_probability: 50, reliability: [{ low: 0.8, high: 0.9, verdicts: 50, score: 0.83, observed: figure(0.6, 0.5, 0.7) }] }] });
    const section = await screen.findByRole("region", { name: "Graph and papers" });
    expect(section).toHaveTextContent("80% to 90% stated (mean 83%), n = 50");
    expect(section).toHaveTextContent("Of 60 verified claims, 50 have a stated probability of 'supported'; the others are in no bar. The mean distance from what the verifier states is 20 points; chance alone gives a calibrated verifier 5 points (p 0.0020 of being calibrated).");
  });

  it("says how many claims simulated experts verified", async () => {
    open({ ...BATCH, sources: [{ ...JUDGED, simulated: 60 }] });
    const section = await screen.findByRole("region", { name: "Graph and papers" });
    expect(section).toHaveTextContent("60 of 80 chosen; 20 wait for experts; all verified by simulated experts; 1 left out");
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
    const link = await screen.findByRole("link", { name: "Verify" });
    expect(link).toHaveAttribute("href", "/studies/s2");
    expect(link.closest("[role=status]")).toHaveFocus();
    expect(screen.getByRole("button", { name: "Make a study of claims" })).toBeInTheDocument();
  });

  it("moves the focus into the form, and back when it is cancelled", async () => {
    open(BATCH);
    await userEvent.click(await screen.findByRole("button", { name: "Make a study of claims" }));
    expect(screen.getByLabelText("Name of the study")).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.getByRole("button", { name: "Make a study of claims" })).toHaveFocus();
  });

  it("offers the active choice where the verifier states probabilities, and shows a refusal", async () => {
    const posted: unknown[] = [];
    open({ ...BATCH, sources: [{ ...JUDGED, takes_active_choice: true }] }, posted, "Another study has claims of this batch.");
    await userEvent.click(await screen.findByRole("button", { name: "Make a study of claims" }));
    await userEvent.type(screen.getByLabelText("Name of the study"), "Verify");
    await userEvent.selectOptions(screen.getByLabelText("Which claims"), "active");
    await userEvent.click(screen.getByRole("button", { name: "Make the study" }));
    expect(await screen.findByText("Another study has claims of this batch.")).toBeInTheDocument();
    expect(posted).toMatchObject([{ rule: "active" }]);
  });
});
