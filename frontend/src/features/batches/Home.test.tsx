import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import type { ExpertBatch } from "@/api/contract";
import { jsonResponse, makeBatch, makeUser, mockServer, problemResponse, renderRoute, type RecordedRequest } from "@/test/visit";
import { contributionText } from "./ContributionPage";
import { HomePage } from "./HomePage";
import { NextPage } from "./NextPage";

type Mark = ExpertBatch["marks"][number];

const ROUTES = [
  { path: "/home", Component: HomePage },
  { path: "/next", Component: NextPage },
  { path: "/rank/:batchId", element: <p>The question</p> },
  { path: "/studies/:studyId/introduction", element: <p>The introduction</p> },
];

const submitted = (number: number, outcome: string): Mark => ({ number, status: "submitted", outcome });
const open = (number: number): Mark => ({ number, status: "untouched", outcome: "" });

const first = makeBatch({
  total: 5,
  answered: 3,
  median_active_ms: 60_000,
  outcomes: { confirmed: 1, changed: 1, not_sure: 1, skipped: 1 },
  marks: [
    submitted(1, "confirmed"),
    submitted(2, "changed"),
    submitted(3, "not_sure"),
    { number: 4, status: "skipped", outcome: "skipped" },
    open(5),
  ],
});
const second = makeBatch({ id: "batch-2", number: 2, total: 3, marks: [open(1), open(2), open(3)] });

let rows: ExpertBatch[];
let requests: RecordedRequest[];
let comparison: unknown;

beforeEach(() => {
  rows = [first, second];
  comparison = null;
  requests = mockServer(({ path }) => {
    if (path === "/api/v1/me") return jsonResponse({ user: makeUser() });
    if (path === "/api/v1/batches") return jsonResponse({ results: rows });
    if (path.endsWith("/comparison")) return comparison ? jsonResponse(comparison) : problemResponse(409, "study_open", "This study is still open.");
    return undefined;
  });
});

const marks = async (batch: string) => within(await screen.findByRole("list", { name: `Questions of ${batch}` }));

describe("the one button of the home page", () => {
  it("names the next question among all of the study, and the time at the expert's own pace", async () => {
    renderRoute(ROUTES, "/home");
    expect(await screen.findByRole("heading", { name: "Question 5 of 8" })).toBeInTheDocument();
    expect(screen.getByText("about 5 minutes left · Batch 1")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Continue: Batch 1" })).toHaveAttribute("href", "/rank/batch-1");
  });

  it("names no total that others change: a pool has up to so many more", async () => {
    rows = [{ ...second, total: 27, marks: [submitted(1, "confirmed"), open(2)], answered: 1 }];
    renderRoute(ROUTES, "/home");
    expect(await screen.findByRole("heading", { name: "Question 2" })).toBeInTheDocument();
    expect(screen.getByText("up to 25 more questions, about 20 minutes left if nobody else takes them · Batch 2")).toBeInTheDocument();
    expect(screen.getByText("1 answered, up to 25 more in the pool")).toBeInTheDocument();
  });

  it("plans 45 seconds for each question before the pace is known", async () => {
    rows = [second];
    renderRoute(ROUTES, "/home");
    expect(await screen.findByRole("heading", { name: "Question 1 of 3" })).toBeInTheDocument();
    expect(screen.getByText("about 2 minutes left · Batch 2")).toBeInTheDocument();
  });

  it.each([
    ["introduction", "Read the introduction", /First a short introduction/],
    ["consent", "Read what has changed", /text that you agreed to has changed/],
    ["guidelines", "Read the guidelines", /has new guidelines/],
  ] as const)("is the %s where that must be read, and no mark leads past it", async (to_read, name, reason) => {
    rows = [{ ...second, study: { ...second.study, to_read } }];
    renderRoute(ROUTES, "/home");
    expect(await screen.findByText(reason)).toBeInTheDocument();
    expect(screen.getByRole("link", { name })).toHaveAttribute("href", "/studies/study-1/introduction");
    expect((await marks("Batch 2")).queryByRole("link")).not.toBeInTheDocument();
  });
});

describe("the strip of marks", () => {
  it("says in words what became of each question, and opens it", async () => {
    renderRoute(ROUTES, "/home");
    const links = (await marks("Batch 1")).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("aria-label"))).toEqual([
      "Question 1: agreed",
      "Question 2: order changed",
      "Question 3: not sure",
      "Question 4: skipped",
      "Question 5: not answered",
    ]);
    expect(links[3]).toHaveAttribute("href", "/rank/batch-1?q=4");
    expect(links[4]).toHaveAttribute("aria-current", "step");
  });

  it("has a shape of its own for each state, explained once", async () => {
    renderRoute(ROUTES, "/home");
    const shapes = (await marks("Batch 1")).getAllByRole("link").map((link) => link.querySelector("svg")?.innerHTML);
    expect(new Set(shapes).size).toBe(5);
    const legend = within(screen.getByRole("list", { name: "What the marks mean" }));
    expect(legend.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["agreed", "order changed", "not sure", "skipped", "not answered"]);
  });
});

describe("questions without a prior", () => {
  it("are marked alike, whatever order was submitted", async () => {
    rows = [{ ...first, outcomes: { ranked: 3, skipped: 0 }, marks: [submitted(1, "ranked"), submitted(2, "ranked"), submitted(3, "ranked")] }];
    renderRoute(ROUTES, "/home");
    const links = (await marks("Batch 1")).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("aria-label"))).toEqual(["Question 1: ranked", "Question 2: ranked", "Question 3: ranked"]);
    expect(new Set(links.map(({ dataset, innerHTML }) => `${dataset.tone} ${innerHTML.replace(/<span.*<\/span>/, "")}`)).size).toBe(1);
    expect(screen.getByRole("list", { name: "What the marks mean" })).toHaveTextContent(/^ranked$/);
  });
});

describe("what is known of a study", () => {
  it("is who asks, until when and whom to write to", async () => {
    const study = { ...first.study, coordinators: ["Prof Mensah", "Ada"], contact: "pain@hospital.example", closes_on: "2031-02-03", description: "Which drugs?" };
    rows = [{ ...first, study }];
    renderRoute(ROUTES, "/home");
    expect(await screen.findByText("Prof Mensah and Ada")).toBeInTheDocument();
    expect(screen.getByText("3 February 2031")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "pain@hospital.example" })).toHaveAttribute("href", "mailto:pain@hospital.example");
    expect(screen.getByText("Which drugs?")).toBeInTheDocument();
  });

  it("has nothing of the others' answers while it is open, and does not request it", async () => {
    rows = [{ ...first, answered: 5, marks: [1, 2, 3, 4, 5].map((number) => submitted(number, "confirmed")) }];
    renderRoute(ROUTES, "/home");
    expect(await screen.findByText(/Once the study is closed, you read here how the others answered/)).toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: "How the others answered" })).not.toBeInTheDocument();
    expect(requests.some(({ path }) => path.endsWith("/comparison"))).toBe(false);
  });

  it("shows how the others answered once it is closed", async () => {
    const compared = [1, 2, 3, 5].map((number) => ({ number, text: "Which?", sentence: `4 of ${number + 5} others put thalidomide first, as you did.` }));
    comparison = { total: 5, compared };
    rows = [{ ...first, study: { ...first.study, status: "closed" } }];
    renderRoute(ROUTES, "/home");
    expect(await screen.findByText("4 of 6 others put thalidomide first, as you did.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Show all 4" })).toBeInTheDocument();
    expect(screen.getByText(/1 question had too few answers/)).toBeInTheDocument();
  });
});

describe("the link to the next question", () => {
  it("opens the batch that is under way", async () => {
    const router = renderRoute(ROUTES, "/next?study=study-1");
    await screen.findByText("The question");
    expect(router.state.location.pathname).toBe("/rank/batch-1");
  });

  it("opens the introduction before consent, and home where nothing is left", async () => {
    rows = [{ ...second, study: { ...second.study, to_read: "introduction" } }];
    renderRoute(ROUTES, "/next");
    await screen.findByText("The introduction");
    rows = [];
    renderRoute(ROUTES, "/next");
    expect(await screen.findByText(/You have no batches yet/)).toBeInTheDocument();
  });
});

it("a contribution names the expert, the study, the answers, the days and the version", () => {
  const text = contributionText({
    study: "s-1",
    study_name: "Pain",
    kind: "Ranking",
    expert: "Dr Silva",
    coordinators: ["Prof Mensah"],
    answers: 24,
    questions: 32,
    first_at: "2026-12-03T10:00:00Z",
    last_at: "2026-12-09T10:00:00Z",
    version: "0.1.0",
  });
  expect(text).toContain('Dr Silva, expert in the study "Pain" (ranking)');
  expect(text).toContain("24 answers to 32 questions, 3 December 2026 to 9 December 2026");
  expect(text).toContain("Study s-1, on Serendib 0.1.0");
});
