import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { ChangesPage } from "./ChangesPage";
import { CorrectionPage } from "./CorrectionPage";
import { draftOf, readDrafts } from "./drafts";
import { questionOf } from "./labels";
import { ReportsPage } from "./ReportsPage";

const RELEASE = {
  slug: "pairs",
  name: "Pairs",
  track: "truthhypo",
  items: { dev: 0, test: 2 },
  key_fields: ["x_id", "y_id"],
  evaluator_version: "1",
  present_version: "1",
  corrected_by: null,
  can_change: true,
};
const ITEMS = [
  { x_id: "C1", y_id: "G1", question: "How are aspirin and COX-1 related?" },
  { x_id: "C2", y_id: "G2", question: "How are zinc and MT1A related?" },
];
const REPORT = {
  id: "report-1",
  item: ["C1", "G1"],
  content: ITEMS[0],
  split: "test",
  kind: "wrong_answer",
  text: "See PMID 1.",
  state: "open",
  reply: "",
  created_at: "2026-11-22T10:00:00Z",
  decided_at: null,
  is_own: false,
  reporter: "Olga",
  answer: null,
  entries: { credited: ["Right"], not_credited: ["Wrong", "Also wrong"], lost: [], total: 3 },
};

function answerItems(): globalThis.Response {
  return new globalThis.Response(ITEMS.map((item) => `${JSON.stringify(item)}\n`).join(""));
}

function openServer(report: object, corrections: () => globalThis.Response = () => problemResponse(404, "not_found")) {
  return mockServer(({ path, method }) => {
    if (path === "/api/v1/releases/pairs") return jsonResponse(RELEASE);
    if (path.endsWith("/items?split=test")) return answerItems();
    if (path.endsWith("/corrections")) return corrections();
    if (path.includes("/reports")) return method === "GET" ? jsonResponse({ results: [report] }) : jsonResponse(report, 201);
    return undefined;
  });
}

describe("reports of items", () => {
  const open = () => renderRoute([{ path: "/releases/:slug/reports", Component: ReportsPage }], "/releases/pairs/reports");

  it("shows the organiser what an item counts for, and sends the decision", async () => {
    const requests = openServer(REPORT);
    open();
    const card = await screen.findByRole("article", { name: "C1, G1" });
    expect(card).not.toHaveTextContent("Present answer");
    expect(card).toHaveTextContent("1 entry gains from this item: Right.");
    expect(card).toHaveTextContent("2 entries do not: Wrong and Also wrong.");
    await userEvent.type(within(card).getByLabelText("Reply"), "You are right.");
    await userEvent.click(within(card).getByRole("button", { name: "Accept: C1, G1" }));
    const sent = requests.find(({ method }) => method === "PATCH");
    expect(sent).toMatchObject({ path: "/api/v1/releases/pairs/reports/report-1", json: { state: "accepted", reply: "You are right." } });
  });

  it("states which entries could not be read, and that others were not", async () => {
    openServer({ ...REPORT, entries: { credited: [], not_credited: ["Wrong"], lost: ["Gone"], total: 10_000 } });
    open();
    const card = await screen.findByRole("article", { name: "C1, G1" });
    expect(card).toHaveTextContent("The scores by item of Gone are lost. An administrator must restore the files.");
    expect(card).toHaveTextContent("These are the best 2 of 10,000 entries.");
  });

  it("shows the organiser the answer to a dev item", async () => {
    openServer({ ...REPORT, split: "dev", answer: { label: "no_relation" } });
    open();
    expect(await screen.findByText('{"label":"no_relation"}')).toBeInTheDocument();
  });

  it("sends a report of the item that was found by its words", async () => {
    const requests = openServer({ ...REPORT, is_own: true, answer: null, entries: null, state: "accepted" });
    open();
    expect(screen.queryByRole("radio")).not.toBeInTheDocument();
    await userEvent.type(await screen.findByLabelText("Find the item"), "mt1a zinc");
    await userEvent.click(await screen.findByRole("radio", { name: /C2, G2/ }));
    await userEvent.type(screen.getByLabelText("Why"), "Both.");
    await userEvent.selectOptions(screen.getByLabelText("What is wrong"), "Ambiguous");
    await userEvent.click(screen.getByRole("button", { name: "Send the report" }));
    expect(await screen.findByText("The organiser of the release has your report.")).toBeInTheDocument();
    expect(requests.find(({ method }) => method === "POST")?.json).toEqual({ item: ["C2", "G2"], kind: "ambiguous", text: "Both." });
  });
});

describe("a correction", () => {
  const open = () => renderRoute([{ path: "/releases/:slug/correct", Component: CorrectionPage }], "/releases/pairs/correct");

  it("begins with the accepted reports and names the item of an error", async () => {
    const fault = { place: "corrections[0].answer", message: "The label must be one of a, b.", code: "not_an_answer", expected: "" };
    const requests = openServer({ ...REPORT, state: "accepted" }, () => problemResponse(422, "invalid_corrections", "1 fault.", [fault]));
    open();
    const row = await screen.findByRole("article", { name: "C1, G1" });
    await userEvent.click(within(row).getByRole("radio", { name: "Change the answer" }));
    const answer = within(row).getByRole("textbox", { name: "Answer, as JSON" });
    expect(answer).toHaveValue("");
    expect(answer).toHaveAccessibleDescription(/^The stored answer of a test item is not shown; look it up in the source file./);
    expect(screen.getByRole("button", { name: "Correct and score again" })).toBeDisabled();
    await userEvent.type(answer, '{{"label":"no_relation"}');
    await userEvent.click(screen.getByRole("button", { name: "Correct and score again" }));
    expect(screen.getByRole("dialog")).toHaveTextContent("Pairs is deprecated for good: it cannot be opened again.");
    await userEvent.click(screen.getByRole("button", { name: "Correct it" }));
    expect(await screen.findByText("C1, G1: answer")).toBeInTheDocument();
    const corrections = [{ key: ["C1", "G1"], action: "answer", answer: { label: "no_relation" } }];
    expect(requests.find(({ method }) => method === "POST")?.json).toEqual({ name: "Pairs, corrected", corrections });
  });

  it("comes beside the button for a new evaluator version", async () => {
    const job = { id: "job-1", kind: "rescoring", state: "running", phase: "scoring", percent: 40, estimated_end_at: null, error: null };
    const requests = mockServer(({ path, method }) => {
      if (path === "/api/v1/releases/pairs") return jsonResponse({ ...RELEASE, present_version: "2" });
      if (path.endsWith("/reports?limit=200")) return jsonResponse({ results: [] });
      if (path.endsWith("/rescore") && method === "POST") return jsonResponse(job, 202);
      return path === "/api/v1/jobs/job-1" ? jsonResponse(job) : undefined;
    });
    open();
    expect(await screen.findByText("The board has scores of evaluator version 1; the present one is 2.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Score all entries again" }));
    expect(await screen.findByText("Running: scoring, 40%")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Score all entries again" })).toHaveAttribute("aria-disabled", "true");
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("is not sent while there is none", async () => {
    openServer(REPORT);
    open();
    expect(await screen.findByRole("button", { name: "Correct and score again" })).toBeDisabled();
  });
});

describe("rank changes", () => {
  const standing = { release: "pairs", name: "Pairs", evaluator_version: "1", created_at: "2026-11-22T10:00:00Z", entries: 2 };
  const entry = (place: number, value: number) => ({ place, best: 1, worst: 2, value, low: null, high: null, bounds: null });
  const change = {
    kind: "correction",
    before: standing,
    after: { ...standing, name: "Pairs 2" },
    withdrawn: 1,
    changed: 0,
    elsewhere: 2,
    reordered: 1,
    count: 3,
    entries: [
      { submission: "1", model: { name: "Riser" }, before: entry(2, 50), after: entry(1, 51.25), is_reordered: true },
      { submission: "2", model: null, before: null, after: entry(0, 40), is_reordered: false },
      { submission: "3", model: { name: "Gone" }, before: entry(0, 60), after: null, is_reordered: false },
    ],
  };
  const shown = {
    name: "Pairs 2", track: "truthhypo", metric: { label: "Accuracy", unit: "percent" }, corrects: "pairs",
    corrected_by: null, offset: 0, is_pending: false, changes: [change],
  };

  it("lists places, ranks and scores before and after", async () => {
    mockServer(() => jsonResponse(shown));
    renderRoute([{ path: "/releases/:slug/changes", Component: ChangesPage }], "/releases/pairs-2/changes");
    const table = await screen.findByRole("table", { name: "Pairs 2 corrects Pairs: entries" });
    const rows = within(table).getAllByRole("row").slice(1).map((row) => row.textContent);
    expect(rows[0]).toBe("Riser1, was 21 to 21 to 250.0 no interval51.3 no interval+1.3");
    expect(rows[1]).toContain("Anonymous entrynew");
    expect(rows[2]).toContain("Gonenot on it");
    expect(screen.getByText(/1 item withdrawn, 0 items changed in this split; 2 items corrected in the other. 1 of 3 entries has another place./)).toBeInTheDocument();
    expect(screen.queryByText(/bounds/i)).not.toBeInTheDocument();
  });

  it("states what a score can be while answers are unjudged", async () => {
    const riser = {
      submission: "1",
      model: { name: "Riser" },
      before: { ...entry(2, 50), bounds: { judged: 0.25, low: 40, high: 72.5 } },
      after: { ...entry(1, 51.25), bounds: { judged: null, low: 51.25, high: 60 } },
      is_reordered: true,
    };
    mockServer(() => jsonResponse({ ...shown, changes: [{ ...change, entries: [riser] }] }));
    renderRoute([{ path: "/releases/:slug/changes", Component: ChangesPage }], "/releases/pairs-2/changes");
    const table = await screen.findByRole("table", { name: "Pairs 2 corrects Pairs: entries" });
    const [before, after] = within(table).getAllByText(/^bounds/).map((one) => one.textContent);
    expect(before).toMatch(/^bounds 40.0 to 72.5, 25\s?% judged$/);
    expect(after).toBe("bounds 51.3 to 60.0");
    expect(screen.getByText(/^Bounds: the score if all unjudged answers/)).toBeInTheDocument();
  });
});

describe("the parts of a correction", () => {
  it("reads answers that are JSON objects alone", () => {
    const drafts = ["{", "[]", "null", '{"a": 1}'].map((answer, at) => ({ ...draftOf([at], {}, null), action: "answer" as const, answer }));
    const { corrections, faulty } = readDrafts(drafts);
    expect(faulty).toEqual(["[0]", "[1]", "[2]"]);
    expect(corrections).toEqual([{ key: [3], action: "answer", answer: { a: 1 } }]);
  });

  it("takes an item's longest text for its question", () => {
    expect(questionOf({ id: 5, a: "x", b: "a question" })).toBe("a question");
    expect(questionOf({})).toBe("");
  });
});
