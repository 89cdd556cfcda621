import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { ReleasePage } from "../ReleasePage";

const RELEASE = {
  slug: "sparse", name: "Sparse labels", track: "stark-prime", state: "open", items: { dev: 0, test: 12 }, entries: 2, queries: 10, queries_per_day: 3,
  test_share: 1, seed: 0, cutoff: null, digest: "abc", evaluator_version: "1", graph: null, opens_at: null, closes_at: null,
  created_at: "2026-11-22T09:00:00Z", corrects: null, corrects_name: null, corrected_by: null, corrected_by_name: null,
  open_reports: null, can_change: true,
};
const POOL = { depth: 20, entries: 2, answers: 40, unjudged: 30, is_partial: false, is_outdated: false, created_at: "2026-11-22T09:00:00Z" };
const ANSWER = { position: 1, item: "7", question: "What helps?", answer: "12", name: "Aspirin", effect: 1, entries: [{ model: "ada", rank: 2 }] };
const STUDY = { id: "s1", name: "Round one", kind: "claims", split: "test", verdicts: { questions: 30, true: 4, false: 6, undecided: 2, waiting: 18 }, corrected_as: null };
const OVERVIEW = { release: "sparse", split: "test", is_pooled: true, pool: POOL, job: null, answers: [ANSWER], studies: [STUDY], corrected_by: null };
const JOB = { id: "j1", kind: "rescoring", state: "succeeded", phase: "", percent: 100, estimated_end_at: null, parameters: {}, subjects: [], details: {}, result: {}, error: null, created_at: "2026-11-22T09:00:00Z", started_at: null, ended_at: "2026-11-22T09:00:00Z", version: 2, is_owner: true, can_cancel: false };

const JUDGED = { split: "test", metric: "mrr", depth: 20, is_outdated: false, entries: [{ submission: "a", judged: 0.125, low: 0.2, high: 0.9 }, { submission: "b", judged: 0.5, low: 0.1, high: 1 }, { submission: "c", judged: null, low: 0, high: 0 }] };

function open(overview: object | null, release: object = {}) {
  const sent: { path: string; method: string; json: unknown }[] = [];
  mockServer(({ path, method, json }) => {
    if (method !== "GET") sent.push({ path, method, json });
    if (path === "/api/v1/releases/sparse") return jsonResponse({ ...RELEASE, ...release });
    if (path.endsWith("/verdicts")) return jsonResponse({ release: "sparse-2", job: JOB, dropped: 2 }, 202);
    if (path.endsWith("/pool/studies")) return jsonResponse({ id: "s2", name: "Unjudged", questions: 30 }, 201);
    if (path.endsWith("/pool") && method === "POST") return jsonResponse({ ...JOB, state: "queued", ended_at: null }, 202);
    if (path.includes("/pool")) return overview ? jsonResponse(overview) : jsonResponse({ code: "broken", detail: "The server failed.", errors: [] }, 500);
    if (path.includes("/judged")) return jsonResponse(JUDGED);
    if (path.includes("/boards/")) return undefined;
    if (path.includes("/jobs/")) return jsonResponse(JOB);
    return jsonResponse(path.endsWith("/graphs") ? { has_queries: false, takes_queries: false, offered: [], needed: [], scored: [], walked: "", queried: "", is_queried: false, can_query: false, graphs: [] } : { results: [], alerts: [] });
  });
  renderRoute([{ path: "/releases/:slug", Component: ReleasePage }], "/releases/sparse");
  return sent;
}

const section = () => screen.findByRole("region", { name: "Unjudged answers" });

describe("unjudged answers", () => {
  it("counts them, and lists the first to judge with who ranks them", async () => {
    open(OVERVIEW);
    expect(await screen.findByText(/30 answers of 40 are unjudged, 25% are judged/)).toBeInTheDocument();
    const row = within(screen.getByRole("table", { name: "Answers to judge first" })).getByRole("row", { name: /Aspirin/ });
    expect(row).toHaveTextContent("ada (2)");
  });

  it("is not there for others, nor for a track whose answers are not ranked", async () => {
    open({ ...OVERVIEW, is_pooled: false, pool: null, answers: [], studies: [] });
    await screen.findByRole("heading", { level: 1, name: "Sparse labels" });
    await waitFor(() => expect(screen.queryByRole("heading", { name: "Unjudged answers" })).not.toBeInTheDocument());
  });

  it("offers no study once every answer is in one", async () => {
    open({ ...OVERVIEW, answers: [] });
    expect(await screen.findByText(/Every pooled answer is judged or in a study/)).toBeInTheDocument();
    expect(screen.queryByRole("table", { name: "Answers to judge first" })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Make a study" })).not.toBeInTheDocument();
  });

  it("starts with a button that pools them", async () => {
    const sent = open({ ...OVERVIEW, pool: null, answers: [], studies: [] });
    await userEvent.click(await screen.findByRole("button", { name: "Pool the answers" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ path: "/api/v1/releases/sparse/pool", json: { split: "test" } });
    expect(screen.queryByRole("button", { name: "Make a study" })).not.toBeInTheDocument();
  });

  it("makes a study of them in one step", async () => {
    const sent = open(OVERVIEW);
    await userEvent.click(await screen.findByRole("button", { name: "Make a study" }));
    const form = within(await section());
    await userEvent.clear(form.getByLabelText("Experts for each answer"));
    await userEvent.type(form.getByLabelText("Experts for each answer"), "2");
    await userEvent.click(form.getByRole("button", { name: "Make the study" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.json).toEqual({ split: "test", name: "Unjudged answers of Sparse labels", kind: "claims", overlap: 2, limit: 30, adaptive_share: 0 });
  });

  it("refuses a number out of range, and says which are allowed", async () => {
    open(OVERVIEW);
    await userEvent.click(await screen.findByRole("button", { name: "Make a study" }));
    await userEvent.clear(screen.getByLabelText("Answers to judge"));
    await userEvent.type(screen.getByLabelText("Answers to judge"), "0");
    expect(screen.getByText("Write a number from 1 to 2,000.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Make the study" })).toBeDisabled();
  });

  it("applies the verdicts after a question, and leads to the rank changes", async () => {
    const sent = open(OVERVIEW);
    expect(await screen.findByText(/12 of 30 answers judged: 4 true, 6 false, 2 undecided/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Apply verdicts" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/18 answers still wait for experts. Verdicts that come later are lost/)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Apply without the others" }));
    expect(await screen.findByText(/2 verdicts false on true answers of the release were left out/)).toBeInTheDocument();
    const link = await screen.findByRole("link", { name: "See the rank changes" });
    expect(link).toHaveAttribute("href", "/releases/sparse-2/changes");
    expect(sent[0]).toMatchObject({ path: "/api/v1/releases/sparse/pool/studies/s1/verdicts", json: { is_partial: true } });
  });

  it("asks for nothing more where no answer waits", async () => {
    const sent = open({ ...OVERVIEW, studies: [{ ...STUDY, verdicts: { ...STUDY.verdicts, waiting: 0 } }] });
    await userEvent.click(await screen.findByRole("button", { name: "Apply verdicts" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.queryByText(/for experts/)).not.toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Apply them" }));
    await waitFor(() => expect(sent[0]?.json).toEqual({ is_partial: false }));
  });

  it("has no button for verdicts before one is decided, or once they are applied", async () => {
    const waiting = { ...STUDY, verdicts: { ...STUDY.verdicts, true: 0, false: 0 } };
    const applied = { ...STUDY, id: "s0", name: "Round zero", corrected_as: "sparse-2" };
    open({ ...OVERVIEW, studies: [waiting, applied] });
    expect(await screen.findByRole("button", { name: "Apply verdicts" })).toBeDisabled();
    expect(within(screen.getByRole("article", { name: "Round zero" })).getByRole("link", { name: "See the rank changes" })).toBeInTheDocument();
  });

  it("asks to pool again once the board has changed", async () => {
    open({ ...OVERVIEW, pool: { ...POOL, is_outdated: true } });
    expect(await screen.findByText("The board has changed since. Pool the answers again.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Pool the answers" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Make a study" })).not.toBeInTheDocument();
  });

  it("says to everybody how much of the entries is judged", async () => {
    open(null, { can_change: false });
    expect(await screen.findByText(/Judged@20 of the test entries: 13% to 50%/)).toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: "Unjudged answers" })).not.toBeInTheDocument();
  });

  it("says what went wrong", async () => {
    open(null);
    expect(await within(await section()).findByRole("alert")).toHaveTextContent("The server failed.");
  });
});
