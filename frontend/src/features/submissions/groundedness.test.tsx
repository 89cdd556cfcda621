import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { GroundednessBins } from "@/domains/evaluation/GroundednessBins";
import type { AccuracyBins, GroundingView, SubmissionGroundings } from "@/domains/evaluation/groundedness";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { SubmissionPage } from "./SubmissionPage";

const SUBMISSION = {
  id: "one",
  release: "pairs",
  track: "truthhypo",
  split: "dev",
  model: { slug: "mine", name: "Mine", team: null },
  state: "scored",
  score_visibility: "shown",
  file_name: "p.csv",
  created_at: "2026-11-22T10:00:00Z",
  tool_calls: null,
  scores: [],
  declared: {},
};
const judge = { verifier: "plain", version: "2", model: "", model_size: "", endpoint: "", graph: "g", graph_name: "Small graph", snapshot: "s", literature: "p", literature_name: "Papers", literature_digest: "d", cutoff: 10 };
const accuracy = { value: 60, low: 40.1, high: 77.3, n: 24, method: "wilson" };
const BINS: AccuracyBins = {
  judge,
  source: "both",
  entries: 1,
  bins: [{ low: 0, high: 50, groundedness: 20, accuracy }, { low: 50, high: 100, groundedness: 90, accuracy: { ...accuracy, value: 87.5 } }],
  undefined: { ...accuracy, low: null, high: null, n: 2 },
  overall: { ...accuracy, n: 30 },
};
const GROUNDED: GroundingView = {
  id: "g1",
  judge,
  agreements: [{ source: "both", verdicts: 60, rationales: 20, agreement: { value: 0.82, low: 0.7, high: 0.9, n: 60, is_approximate: false }, kappa: { value: 0.6, low: 0.4, high: 0.8, n: 60, is_approximate: false }, reason: "", simulated: 60, groups: [] }],
  created_at: "2026-11-22T10:00:00Z",
  batch: "b1",
  rationales: 30,
  queued: 0,
  failed: 0,
  reasons: [],
  cells: [{ source: "both", value: 50, low: 41.5, high: 58.5, n: 28, claims: 56, undefined: 2, failed: 0, at_least: 50 }],
  bins: BINS,
  flags: { source: "both", failures: 3, denials: 1, echoes: 2 },
};
const BEFORE: SubmissionGroundings = { rationales: 30, may_ground: true, cutoff: 10, are_bins_shown: true, results: [] };

it("calls fewer than ten hypotheses that, and not a group of at least ten", () => {
  const few: AccuracyBins = { ...BINS, bins: [{ low: 0, high: 100, groundedness: 50, accuracy: { ...accuracy, n: 7 } }] };
  render(<GroundednessBins bins={few} />);
  const figure = screen.getByRole("figure");
  expect(figure).toHaveTextContent("fewer than 10 hypotheses with a claim, in one group. Fewer than 10 have no claim.");
  expect(figure).not.toHaveTextContent("at least 10");
});

function openPage(groundings: SubmissionGroundings) {
  const sent: unknown[] = [];
  mockServer(({ path, method }) => {
    if (path === "/api/v1/submissions/one/groundings") return method === "POST" ? jsonResponse({ ...groundings, results: [GROUNDED] }, 202) : jsonResponse(groundings);
    if (path === "/api/v1/submissions/one") return jsonResponse(SUBMISSION);
    if (path === "/api/v1/literature") return jsonResponse({ results: [{ slug: "p", name: "Papers", papers: 4 }] });
    if (path === "/api/v1/endpoints") return jsonResponse({ results: [] });
    if (path.endsWith("/query-report")) return jsonResponse({ queries: 0, failed: 0, kinds: {}, failures: [] });
    return undefined;
  });
  const answer = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    if (init.method === "POST") sent.push(JSON.parse(String(init.body)));
    return answer(path, init);
  });
  renderRoute([{ path: "/submissions/:id", Component: SubmissionPage }], "/submissions/one");
  return sent;
}

it("grounds the rationales and shows groundedness, bins and flags", async () => {
  const sent = openPage(BEFORE);
  await screen.findByRole("option", { name: "Papers" });
  await userEvent.selectOptions(screen.getByLabelText("Papers"), "Papers");
  await userEvent.click(screen.getByRole("button", { name: "Ground the rationales" }));
  const result = await screen.findByRole("article", { name: "plain verifier 2, on Small graph and Papers, up to 10" });
  expect(sent).toEqual([{ literature: "p", endpoint: null, budget: "0" }]);
  expect(screen.getByText("The rationales are being grounded. Progress and result are shown above.")).toHaveFocus();
  expect(result).toHaveTextContent("Experts agree with this verifier on claims: graph and papers: 82.0% (70.0 to 90.0), κ 0.60 (0.40 to 0.80), 60 verified claims, all by simulated experts.");
  expect(result).toHaveTextContent("This verifier reads English alone. Claims in other languages count as not supported.");
  expect(within(result).getByRole("row", { name: "Graph and papers 50.0% 41.5 to 58.5 28 56 2" })).toBeVisible();
  expect(within(result).getByRole("row", { name: "50 to 100% 24 87.5% 40.1 to 77.3" })).toBeVisible();
  expect(within(result).getByRole("row", { name: "no claim 2 60.0% no interval" })).toBeVisible();
  expect(within(result).getByRole("link", { name: "Groundedness corrected by experts" })).toHaveAttribute("href", "/grounding-batches/b1");
  expect(result).toHaveTextContent("Of 3 wrong hypotheses with a groundedness of 80% or more, 1 deny an association that the context states, and 2 echo the context.");
});

it("says why bins are not shown, and what failed", async () => {
  openPage({ ...BEFORE, are_bins_shown: false, results: [{ ...GROUNDED, batch: null, bins: null, flags: null, failed: 2, cells: [{ source: "both", value: 50, low: 41.5, high: 58.5, n: 28, claims: 56, undefined: 2, failed: 2, at_least: 46.7 }], reasons: ["The papers were deleted."] }] });
  expect(await screen.findByText(/shown once the answers are retired/)).toBeVisible();
  expect(screen.queryByRole("link", { name: "Groundedness corrected by experts" })).toBeNull();
  expect(screen.getByText("2 rationales could not be grounded. The papers were deleted.")).toBeVisible();
  expect(screen.getByRole("row", { name: "Graph and papers 50.0% 41.5 to 58.5 28 56 2 46.7%" })).toBeVisible();
});

it("says how far a grounding is", async () => {
  openPage({ ...BEFORE, results: [{ ...GROUNDED, queued: 12, cells: [], bins: null, flags: null }] });
  expect(await screen.findByText(/Grounding with plain verifier 2.*18 of 30 rationales/)).toBeVisible();
});

it("says that it could not be loaded, and tries again", async () => {
  let isBroken = true;
  mockServer(({ path }) => {
    if (path === "/api/v1/submissions/one/groundings") return isBroken ? problemResponse(500, "broken", "The server failed.") : jsonResponse({ ...BEFORE, results: [GROUNDED] });
    return path === "/api/v1/submissions/one" ? jsonResponse(SUBMISSION) : undefined;
  });
  renderRoute([{ path: "/submissions/:id", Component: SubmissionPage }], "/submissions/one");
  expect(await screen.findByText("Groundedness could not be loaded. The server failed.")).toBeVisible();
  isBroken = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("region", { name: "Groundedness" })).toBeVisible();
});

it("shows nothing of a submission without rationales", async () => {
  openPage({ ...BEFORE, rationales: 0, may_ground: false });
  expect(await screen.findByText("p.csv", { exact: false })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Groundedness" })).toBeNull();
});
