import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { makeJob } from "@/domains/jobs/fixtures";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import type { Synthesis, SynthesizedQuery } from "./queries";
import { SynthesesPage } from "./SynthesesPage";
import { SynthesisPage } from "./SynthesisPage";

const QUERY: SynthesizedQuery = {
  number: 1, template: "drug-treats", role: "doctor", relation: "drugs that treat asthma", step: "verification", outcome: "accepted", reason: "",
  gold: { id: "PRIMEKG:4", name: "Montelukast", type: "drug" },
  properties: [{ text: "is taken by mouth", is_hard: true, source: "It is a tablet <b>taken by mouth</b>." }],
  first_text: "Which drug for asthma is taken by mouth?", text: "A tablet against asthma?", candidates: 9, answers: ["Montelukast"], gold_passed: true,
};
const COUNTS: Synthesis["summary"] = { drawn: 3, accepted: 1, open: 0, outcomes: { names_answer: 2 }, gold_checked: 1, gold_passed: 1, gold_share: 1, removed: 8 };
const SYNTHESIS: Synthesis = {
  id: "s1", state: "ended", error: null, name: "Asthma queries", count: 3, seed: 0, most_answers: 20, hard: 2, soft: 1, graph: "primekg", graph_name: "PrimeKG", snapshot: "abc",
  writer: "small", rewriter: "large", verifiers: ["small", "large"], models: ["tiny, a 135-million-parameter model", "grand"], prompt_version: "1", question_set: "q1", created_at: "2026-11-01T10:00:00Z", ended_at: "2026-11-01T10:05:00Z",
  job: "j1", summary: COUNTS, budget: { amount: "1.000000", spent: "0.250000" }, results: [QUERY],
  statistics: { queries: 1, mean_answers: 1, mean_words: 4, shannon_entropy: 2, type_token_ratio: 1, relational_share: 0.5, relational_to_textual: 1 },
};
const NONE: Synthesis["summary"] = { drawn: 0, accepted: 0, open: 0, outcomes: {}, gold_checked: 0, gold_passed: 0, gold_share: null, removed: 0 };

function open(synthesis: Synthesis) {
  let current = synthesis;
  mockServer(({ method, path }) => {
    if (path === "/api/v1/query-syntheses/s1/question-set") return jsonResponse(SYNTHESIS);
    if (path === "/api/v1/query-syntheses/s1/resume" && method === "POST") current = { ...synthesis, state: "queued", error: null };
    if (path.startsWith("/api/v1/query-syntheses/s1")) return jsonResponse(current);
    if (path === "/api/v1/query-syntheses") return jsonResponse({ next: null, results: [] });
    if (path === "/api/v1/jobs/j1") return jsonResponse(makeJob({ id: "j1", state: "running", phase: "writing queries, 1 of 3", percent: 40 }));
    if (["/api/v1/graphs", "/api/v1/endpoints", "/api/v1/question-sets"].includes(path)) return jsonResponse({ results: [] });
    return undefined;
  });
  renderRoute([{ path: "/query-syntheses/:id", Component: SynthesisPage }, { path: "/query-syntheses", Component: SynthesesPage }], "/query-syntheses/s1");
}

it("states what was accepted, why others were dropped, and where a query comes from", async () => {
  open(SYNTHESIS);
  expect(await screen.findByText("1 of 3 queries accepted. $0.25 of $1.00 spent.")).toBeVisible();
  expect(screen.getByText("tiny, a 135-million-parameter model; grand")).toBeVisible();
  expect(screen.getByText("Dropped: names its answer: 2.")).toBeVisible();
  expect(screen.getByText(/1 of 1 gold answer passed all filters \(100%\)/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Queries as CSV" })).toHaveAttribute("href", "/api/v1/query-syntheses/s1/queries.csv");
  expect(screen.getByText("Doctor")).toBeVisible();
  await userEvent.click(screen.getByText("From relation to answers"));
  expect(screen.getByText("It is a tablet <b>taken by mouth</b>.")).toBeVisible();
});

it("shows the job while models are at work, and no figures of nothing", async () => {
  open({ ...SYNTHESIS, state: "queued", question_set: null, summary: { ...NONE, drawn: 3, open: 3 }, results: [] });
  expect(await screen.findByText("3 of 3 queries open. $0.25 of $1.00 spent.")).toBeVisible();
  expect(await screen.findByRole("progressbar", { name: "Progress: Synthesis" })).toHaveAttribute("aria-valuenow", "40");
  expect(screen.queryByText("Shannon entropy")).toBeNull();
  expect(screen.queryByRole("link", { name: "Question set" })).toBeNull();
});

it("makes a deleted question set again", async () => {
  open({ ...SYNTHESIS, question_set: null });
  await userEvent.click(await screen.findByRole("button", { name: "Make the question set again" }));
  expect(await screen.findByRole("link", { name: "Question set" })).toHaveAttribute("href", "/workbench?set=q1");
  expect(screen.queryByRole("button", { name: "Make the question set again" })).toBeNull();
});

it("keeps the focus when a failed synthesis goes on", async () => {
  const error = { code: "budget_used_up", detail: "The budget is used up. Resume with a larger one.", errors: [] };
  open({ ...SYNTHESIS, state: "failed", error, question_set: null, summary: { ...NONE, drawn: 3, open: 3 } });
  expect(await screen.findByRole("alert")).toHaveTextContent("The budget is used up.");
  await userEvent.click(screen.getByRole("button", { name: "Resume" }));
  const working = await screen.findByText("3 of 3 queries open. $0.25 of $1.00 spent.");
  expect(document.activeElement).toContainElement(working);
});

it.each([
  [NONE, /This graph has no relation to draw/],
  [{ ...NONE, drawn: 3, outcomes: { repeated: 3 } }, /No query was accepted; the reasons are below/],
])("says so when it ended with nothing", async (summary, text) => {
  open({ ...SYNTHESIS, summary, results: [] });
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByRole("link", { name: "Queries as CSV" })).toBeNull();
});

const MIXED = { question_set: "mixed", name: "Rated", queries: 5, seed: 7, sources: [{ name: "Asthma queries", queries: 1, public: 0 }, { name: "Queries of people", queries: 4, public: 2 }] };

it("makes a study of ratings of two sets in one step, and mixes them once when its name is taken", async () => {
  const sent: string[] = [];
  const set = (id: string, name: string, isOwner: boolean) => ({ id, name, questions: 4, is_demo: false, public: false, is_manager: true, is_owner: isOwner, graphs: [], methods: {} });
  mockServer(({ method, path, json }) => {
    if (path.startsWith("/api/v1/query-syntheses/s1")) return jsonResponse(SYNTHESIS);
    if (path === "/api/v1/question-sets") return jsonResponse({ results: [set("q1", "Asthma queries", true), set("q2", "Queries of people", true), set("q3", "Of somebody else", false)] });
    if (method !== "POST") return undefined;
    sent.push(`${path} ${JSON.stringify(json)}`);
    if (path === "/api/v1/mixed-question-sets") return jsonResponse(MIXED, 201);
    if (sent.length === 2) return problemResponse(409, "name_taken", "Another study has this name. Choose another name.");
    return jsonResponse({ study: { id: "st1" } }, 201);
  });
  renderRoute([{ path: "/query-syntheses/:id", Component: SynthesisPage }], "/query-syntheses/s1");
  const other = await screen.findByLabelText("Compared with");
  expect(await screen.findByRole("option", { name: "Queries of people (4)" })).toBeInTheDocument();
  expect(screen.queryByRole("option", { name: /Asthma queries|somebody/ })).toBeNull();
  await userEvent.selectOptions(other, "q2");
  await userEvent.type(screen.getByLabelText("Name of the study"), "Rated");
  await userEvent.click(screen.getByRole("button", { name: "Create the study" }));
  expect(await screen.findByText("Another study has this name. Choose another name.")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Name of the study"), " anew");
  await userEvent.click(screen.getByRole("button", { name: "Create the study" }));
  expect(await screen.findByRole("link", { name: "Invite experts" })).toHaveAttribute("href", "/studies/st1");
  expect(screen.getByText(/They can look up 2 public queries of/)).toBeVisible();
  expect(sent).toEqual([
    '/api/v1/mixed-question-sets {"name":"Rated","question_sets":["q1","q2"]}',
    '/api/v1/studies {"name":"Rated","kind":"ratings","question_set":"mixed"}',
    '/api/v1/studies {"name":"Rated anew","kind":"ratings","question_set":"mixed"}',
  ]);
});
