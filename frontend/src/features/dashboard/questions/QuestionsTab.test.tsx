import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { StudyQuestion } from "@/api/contract";
import { jsonResponse, mockServer, renderRoute, type RecordedRequest } from "@/test/visit";
import { DashboardPage } from "../DashboardPage";
import { makeBatch, makeDashboard, makeMeasure, makeShares, makeStatistic } from "../fixtures";
import { workEstimate } from "../preview/workEstimate";

const PRIOR = [["zinc"], ["nadh"]];
const PAYLOAD = { ranking: PRIOR, confidence: null, reasons: [], comment: "", unsure_reason: "" };

const CANDIDATES = [{ id: "zinc", name: "Zinc", link: "", prior_rank: 1 }, { id: "nadh", name: "NADH", link: "", prior_rank: 2 }];

function question(number: number, more: Partial<StudyQuestion> = {}): StudyQuestion {
  const common = { id: `q${number}`, file_id: "0", number, text: `Which drug is it in ${number}?`, category: "drug", resources: [] };
  const item = { ...common, candidates: CANDIDATES, prior: PRIOR };
  return {
    question_id: `q${number}`,
    batch: { number: 1, name: "Heart" },
    number,
    assigned: 3,
    answered: 0,
    comments: 0,
    outcomes: { confirmed: 0, changed: 0, not_sure: 0, skipped: 0 },
    shares: makeShares(null),
    measures: [makeMeasure("kendall_w", makeStatistic(null, { reason: "too_few_rankings" }))],
    item,
    initial: PAYLOAD,
    consensus: null,
    requested: 3,
    is_blind: false,
    is_flagged: false,
    is_to_adjudicate: false,
    excluded: null,
    adjudication: null,
    adjudicated: null,
    answers: [],
    has_known_answer: false,
    failed_by: [],
    flags: [],
    ...more,
  };
}

const person = (name: string) => ({ id: name, name, is_simulated: false });
const answers: StudyQuestion["answers"] = [
  { expert: person("Cleo"), outcome: "changed", payload: { ...PAYLOAD, ranking: [["nadh"], ["zinc"]] }, comment: "NADH is new.", active_ms: 41_000, submitted_at: "2026-03-02T10:00:00Z" },
  { expert: person("Eve"), outcome: "confirmed", payload: PAYLOAD, comment: "", active_ms: null, submitted_at: "2026-03-02T10:00:00Z" },
  { expert: person("Theo"), outcome: "not_sure", payload: { ...PAYLOAD, unsure_reason: "too_close" }, comment: "", active_ms: 9_000, submitted_at: "2026-03-02T10:00:00Z" },
];
const DIVIDED = question(7, {
  answered: 3,
  comments: 1,
  outcomes: { confirmed: 1, changed: 1, not_sure: 1, skipped: 0 },
  shares: makeShares(0.5),
  measures: [makeMeasure("kendall_w", makeStatistic(0))],
  consensus: [["zinc", "nadh"]],
  answers,
});

/** As the server sends it without the answers. */
const withoutAnswers = (one: StudyQuestion): StudyQuestion => ({ ...one, outcomes: {}, shares: [], consensus: null, answers: [] });

const BARE = question(9, {
  answered: 2,
  outcomes: { confirmed: 0, changed: 0, ranked: 2, not_sure: 0, skipped: 0 },
  item: { ...DIVIDED.item, text: "Which drug is it in 9?", candidates: CANDIDATES.map(({ prior_rank: _rank, ...one }) => one), prior: undefined } as StudyQuestion["item"],
  answers: ["Cleo", "Eve"].map((name) => ({ expert: person(name), outcome: "ranked", payload: PAYLOAD, comment: "", active_ms: null, submitted_at: "2026-03-02T10:00:00Z" })),
});

function open(search: string): RecordedRequest[] {
  const requests = mockServer(({ path }) => {
    if (path.endsWith("/board")) return jsonResponse(makeDashboard({ totals: { ...makeDashboard().totals, expected: 6 }, batches: [makeBatch(), makeBatch({ id: "b2", number: 2, name: "Lungs" })] }));
    if (!path.includes("/questions?")) return undefined;
    const results = path.includes("search=nothing") ? [] : [DIVIDED, question(2), ...(search.includes("batch=9") ? [BARE] : []), ...(search.includes("batch=8") ? [question(8, { is_blind: true })] : [])];
    const shown = path.includes("with_answers=false") ? results.map(withoutAnswers) : results;
    const matching = shown.filter(({ question_id: id }) => !path.includes("question=") || path.endsWith(`question=${id}`));
    return jsonResponse({ study: makeDashboard().study, questions: 2, total: matching.length, offset: 0, results: matching });
  });
  renderRoute([{ path: "/studies/:id", Component: DashboardPage }], `/studies/study-1${search}`);
  return requests;
}

const questionReads = (requests: RecordedRequest[]) => requests.map(({ path }) => path).filter((path) => path.includes("/questions?"));

test("without the answers a question has their number, agreement and comments, and opening it reads its answers alone", async () => {
  const requests = open("?tab=questions");
  const button = await screen.findByRole("button", { name: "Which drug is it in 7?" });
  const row = button.closest("li");
  expect(row).toHaveTextContent("3 of 3 experts answered");
  expect(row).toHaveTextContent("Kendall’s W 0.00");
  expect(row).toHaveTextContent("1 comment");
  expect(row).not.toHaveTextContent(/Common order|agreed|Reasons|orders changed/);
  expect(screen.queryByRole("option", { name: /With an answer/ })).toBeNull();
  expect(questionReads(requests)).toEqual(["/api/v1/studies/study-1/questions?with_answers=false"]);
  await userEvent.click(button);
  expect(await screen.findByRole("list", { name: "Answers of the experts" })).toHaveTextContent("NADH is new.");
  expect(questionReads(requests).at(-1)).toBe("/api/v1/studies/study-1/questions?question=q7");
});

test("the answers are shown and hidden by one choice, which takes filters by answers away", async () => {
  const requests = open("?tab=questions&order=number");
  const choice = await screen.findByRole("checkbox", { name: "Show the answers in the list" });
  expect(choice).not.toBeChecked();
  expect(screen.getByText("Whoever has read the answers to a question does not adjudicate it blind.")).toBeVisible();
  await userEvent.click(choice);
  expect(await screen.findByText(/Common order/)).toBeVisible();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Show" }), "With an answer ‘Not sure’");
  await waitFor(() => expect(questionReads(requests).at(-1)).toBe("/api/v1/studies/study-1/questions?order=number&outcome=not_sure"));
  await userEvent.click(choice);
  await waitFor(() => expect(screen.queryByText(/Common order/)).toBeNull());
  expect(choice).not.toBeChecked();
  expect(screen.queryByRole("option", { name: /With an answer/ })).toBeNull();
});

test("each question has its common order, agreement, changes, reasons and comments in words", async () => {
  open("?tab=questions&answers=shown");
  const row = (await screen.findByRole("button", { name: "Which drug is it in 7?" })).closest("li");
  expect(row).toHaveTextContent("Heart, question 7");
  expect(row).toHaveTextContent("Common order: 1. Zinc and NADH (tied)");
  expect(row).toHaveTextContent("Kendall’s W 0.00");
  expect(row).toHaveTextContent("3 of 3 experts answered, 1 agreed, 1 order changed, 1 not sure; 50% orders changed");
  expect(row).toHaveTextContent("Reasons: they are too close to call");
  expect(row).toHaveTextContent("1 comment");
  const other = screen.getByRole("button", { name: "Which drug is it in 2?" }).closest("li");
  expect(other).toHaveTextContent("Kendall’s W too few to tell");
  expect(other).toHaveTextContent("0 of 3 experts answered");
});

test("a press shows the answers with the orders, comments and times, and stays in the address", async () => {
  open("?tab=questions");
  const button = await screen.findByRole("button", { name: "Which drug is it in 7?" });
  await userEvent.click(button);
  expect(button).toHaveAttribute("aria-expanded", "true");
  const list = await screen.findByRole("list", { name: "Answers of the experts" });
  const [cleo, eve, theo] = within(list).getAllByRole("listitem");
  expect(cleo).toHaveTextContent(/Cleo order changed in 41 s/);
  expect(cleo).toHaveTextContent("NADH is new.");
  expect(eve).toHaveTextContent("Eve agreed");
  expect(theo).toHaveTextContent("Theo not sure: they are too close to call");
  expect(await screen.findByRole("table", { name: "Rank of each candidate in each order" })).toBeInTheDocument();
  await userEvent.click(button);
  expect(screen.queryByRole("list", { name: "Answers of the experts" })).toBeNull();
});

test("a question without a prior has the orders of its experts alone", async () => {
  open("?tab=questions&batch=9&answers=shown");
  const button = await screen.findByRole("button", { name: "Which drug is it in 9?" });
  expect(button.closest("li")).toHaveTextContent("2 of 3 experts answered, 2 ranked");
  await userEvent.click(button);
  const table = await screen.findByRole("table", { name: "Rank of each candidate in each order" });
  expect(within(table).getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual(["Candidate", "Cleo", "Eve"]);
  expect(screen.getByRole("list", { name: "Answers of the experts" })).toHaveTextContent(/Cleo ranked.*Eve ranked/);
});

test("order, filter and search are the server's", async () => {
  const requests = open("?tab=questions&answers=shown");
  await screen.findByRole("button", { name: "Which drug is it in 7?" });
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Order" }), "Comments, most first");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Show" }), "With comments");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Batch" }), "Lungs");
  await waitFor(() => expect(questionReads(requests).at(-1)).toBe("/api/v1/studies/study-1/questions?order=comments&batch=2&has_comment=true"));
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Show" }), "With an answer ‘Not sure’");
  await waitFor(() => expect(questionReads(requests).at(-1)).toContain("outcome=not_sure"));
  await userEvent.type(screen.getByRole("searchbox"), "nothing");
  expect(await screen.findByText("No question matches. Change the search or what is shown.")).toBeInTheDocument();
});

test("a phone's one control says how many filters are set, and unfolds them", async () => {
  open("?tab=questions&state=complete&below=0.5&order=comments");
  const control = await screen.findByRole("button", { name: "Filters (2)" });
  const filters = document.getElementById(control.getAttribute("aria-controls") ?? "");
  expect(filters).toContainElement(screen.getByRole("combobox", { name: "State" }));
  expect(filters).not.toContainElement(screen.getByRole("searchbox"));
  expect(filters).not.toHaveAttribute("data-open");
  await userEvent.click(control);
  expect(control).toHaveAttribute("aria-expanded", "true");
  expect(filters).toHaveAttribute("data-open");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "State" }), "Any");
  expect(control).toHaveAccessibleName("Filters (1)");
});

test("the preview shows a question as experts see it, and the hours that the study asks for", async () => {
  open("?tab=preview");
  expect(await screen.findByRole("heading", { level: 3, name: "Which drug is it in 7?" })).toBeInTheDocument();
  expect(screen.getByText("2 questions × 45 s × 3 experts: about 4 min 30 s in all, 1 min 30 s for each expert.")).toBeInTheDocument();
  const order = await screen.findByRole("list", { name: "The order, most serendipitous first" });
  expect(within(order).getAllByRole("listitem")).toHaveLength(2);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Experts for each question" }), "1 expert");
  expect(screen.getByText("2 questions × 45 s × 1 expert: about 1 min 30 s.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Next" }));
  expect(await screen.findByRole("heading", { level: 3, name: "Which drug is it in 2?" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Next" })).toHaveAttribute("aria-disabled", "true");
});

test("a batch of 93 questions is over an hour for each of three experts", () => {
  expect(workEstimate(93, 3)).toBe("93 questions × 45 s × 3 experts: about 3 h 29 min in all, 1 h 10 min for each expert.");
  expect(workEstimate(0, 3)).toBe("No questions, so no time.");
});

test("selected questions are sent to adjudication, and the filter by state is the server's", async () => {
  const requests = open("?tab=questions");
  await userEvent.click(await screen.findByRole("checkbox", { name: "Heart, question 7" }));
  await userEvent.click(screen.getByRole("button", { name: "1 selected" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Send to adjudication" }));
  await waitFor(() => expect(requests.find(({ path }) => path.endsWith("/decisions"))?.json).toEqual({ action: "adjudicate", questions: ["q7"], reason: "" }));
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "State" }), "Waits for adjudication");
  await waitFor(() => expect(questionReads(requests).at(-1)).toBe("/api/v1/studies/study-1/questions?state=to_adjudicate&with_answers=false"));
});

test("a question under blind adjudication has no count and no answer, only the reason", async () => {
  open("?tab=questions&batch=8");
  const button = await screen.findByRole("button", { name: "Which drug is it in 8?" });
  expect(button.closest("li")).toHaveTextContent("Hidden until you submit your adjudication.");
  await userEvent.click(button);
  expect(screen.queryByRole("list", { name: "Answers of the experts" })).toBeNull();
});
