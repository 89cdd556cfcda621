import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "@/domains/endpoints/queries";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { NewRunPage } from "./NewRunPage";
import type { Exploration, ModelTask, Run, RunAnswer } from "./queries";
import { RunPage } from "./RunPage";
import { RunsPage } from "./RunsPage";

const TASK: ModelTask = {
  name: "truthhypo-parametric", title: "From what it knows", description: "The relation of two entities.",
  prompt: { name: "truthhypo-parametric", version: "3" }, needs: [], settings: ["sample"], cutoff: null, items: 120, compares_samples: true, is_available: true, unavailable_reason: "",
};
const LITERATURE: ModelTask = {
  ...TASK, name: "truthhypo-literature", title: "With papers", needs: ["papers", "link_chains"], settings: ["cutoff", "papers"], is_available: false, unavailable_reason: "There is no public collection of papers.",
};
const LOCAL: Endpoint = {
  id: "e1", name: "local", model: "SmolLM2-135M-Instruct", price_in: "0.000000", price_out: "0.000000", context_tokens: 8192, parameters: 135_000_000,
  size_label: "135-million-parameter model", may_publish: true, capabilities: { model_returned: "" }, probed_at: null, settings: null,
};
const UNPRICED: Endpoint = { ...LOCAL, id: "e2", name: "cloud", model: "large", price_in: null, price_out: null, parameters: null, size_label: "" };
const RUN: Run = {
  id: "r1", release: { slug: "pairs", title: "Pairs" }, endpoint: { id: "e1", name: "local", model: "SmolLM2-135M-Instruct", parameters: 135_000_000 },
  task: { name: TASK.name, title: TASK.title, is_stepwise: false, prompt: TASK.prompt }, model: { slug: "small", name: "Small" }, settings: {}, state: "estimated", version: 1, is_of_command: false,
  estimate: { sampled: 5, cost: "0.120000", worst_cost: "0.500000", calls: 120, seconds: 90, tokens_in: 12_000, tokens_out: 2_400 },
  budget: { amount: "0.500000", spent: "0.005000", reserved: "0.000000", typical: "0.001000" },
  progress: { items: 120, done: 5, answered: 4, failed: 1, retried: 0, cached: 0, left: 115, seconds_left: null },
  outcomes: { answered: 4, truncated: 1 }, tokens: { in: 500, out: 100 }, cost: "0.006000", flags: {}, models_returned: [], command: "manage.py run_model pairs --endpoint local", job: null, submission: null,
  submissions: [], attempt_scores: [], error: null, created_at: "2026-11-01T10:00:00Z", started_at: null, ended_at: null, allowed: ["start", "cancel"],
};
const ANSWER: RunAnswer = {
  item_key: "a, b", split: "test", question: "How is <b>aspirin</b> related to pain?", outcome: "answered", is_retried: false, is_cached: true, cost: "0.001000",
  prediction: "treat", reason: "", text: '{"label": "treat"}', messages: [{ role: "user", content: "Which relation?" }],
};
const FAILED: RunAnswer = { ...ANSWER, item_key: "c, d", question: "How is zinc related to colds?", outcome: "truncated", is_cached: false, prediction: null, reason: "the answer was cut off", text: '{"lab' };

const MODELS = { results: [{ slug: "small", name: "Small", team: null }] };

const NEXT = "https://elsewhere.example/api/v1/runs/r1/answers?limit=20&cursor=test%3A19";
const LATER: RunAnswer = { ...ANSWER, item_key: "e, f", question: "How is iron related to fatigue?" };

function answersPage(path: string) {
  if (path.includes("truncated")) return { next: null, results: [FAILED] };
  return path.includes("cursor") ? { next: null, results: [LATER] } : { next: NEXT, results: [ANSWER, FAILED] };
}

/** A step that succeeds changes the run. */
function serve(begun: Run, steps: (path: string) => Response | Run | undefined = () => undefined) {
  let run = begun;
  return mockServer(({ method, path }) => {
    if (method === "POST") {
      const answer = steps(path);
      if (answer === undefined || answer instanceof Response) return answer;
      run = answer;
      return jsonResponse(run);
    }
    if (path.startsWith("/api/v1/runs/r1/answers")) return jsonResponse(answersPage(path));
    if (path === "/api/v1/runs/r1") return jsonResponse(run);
    if (path.startsWith("/api/v1/runs?")) return jsonResponse({ results: [run] });
    if (path.endsWith("/model-tasks")) return jsonResponse({ results: [TASK, LITERATURE] });
    if (path === "/api/v1/endpoints") return jsonResponse({ results: [LOCAL, UNPRICED] });
    if (path.startsWith("/api/v1/models")) return jsonResponse(MODELS);
    return undefined;
  });
}

function serveTasks(...tasks: ModelTask[]) {
  return mockServer(({ method, path }) => {
    if (method === "POST") return jsonResponse(RUN, 201);
    if (path.endsWith("/model-tasks")) return jsonResponse({ results: tasks });
    if (path === "/api/v1/endpoints") return jsonResponse({ results: [LOCAL] });
    if (path.startsWith("/api/v1/models")) return jsonResponse(MODELS);
    if (path === "/api/v1/releases/pairs") return jsonResponse({ items: { dev: 5, test: 12 } });
    if (path === "/api/v1/literature") return jsonResponse({ results: [{ slug: "demo-papers", name: "Demo papers", papers: 300, is_public: true }, { slug: "own", name: "Own papers", papers: 2, is_public: false }] });
    return undefined;
  });
}

function serveRelease(items: Record<string, number>) {
  return mockServer(({ path }) => {
    if (path.endsWith("/model-tasks")) return jsonResponse({ results: [TASK] });
    if (path === "/api/v1/endpoints") return jsonResponse({ results: [LOCAL] });
    if (path.startsWith("/api/v1/models")) return jsonResponse(MODELS);
    if (path === "/api/v1/releases/pairs") return jsonResponse({ items });
    return undefined;
  });
}

const openNew = () => renderRoute([{ path: "/releases/:slug/run", Component: NewRunPage }, { path: "/runs", Component: () => <h1>Your runs</h1> }, { path: "/runs/:id", Component: () => <h1>The run</h1> }], "/releases/pairs/run");
const openRun = () => renderRoute([{ path: "/runs/:id", Component: RunPage }], "/runs/r1");

describe("a new run", () => {
  it("names the size of the model, and begins with sample items", async () => {
    const requests = serve(RUN, () => jsonResponse(RUN, 201));
    openNew();
    expect(await screen.findByText("A 135-million-parameter model.")).toBeVisible();
    expect(screen.getByRole("option", { name: "local: SmolLM2-135M-Instruct, free of charge" })).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText("Most items"), "40");
    await userEvent.click(screen.getByRole("button", { name: "Answer five sample items" }));
    expect(await screen.findByRole("heading", { name: "The run" })).toBeVisible();
    expect(requests.find(({ method }) => method === "POST")?.json).toEqual({
      release: "pairs", endpoint: "e1", task: "truthhypo-parametric", model: "small", settings: { max_items: 40 },
    });
  });

  it("lets the split be chosen of a release that has two", async () => {
    const requests = serveTasks(TASK);
    openNew();
    await userEvent.selectOptions(await screen.findByLabelText("Items"), "Of the dev split");
    await userEvent.click(screen.getByRole("button", { name: "Answer five sample items" }));
    expect(await screen.findByRole("heading", { name: "The run" })).toBeVisible();
    expect(requests.find(({ method }) => method === "POST")?.json).toMatchObject({ settings: { split: "dev" } });
  });

  it("offers no split of a release that has one alone", async () => {
    const answer = serveRelease({ test: 12 });
    openNew();
    await screen.findByLabelText("Most items");
    await waitFor(() => expect(answer.map(({ path }) => path)).toContain("/api/v1/releases/pairs"));
    expect(screen.queryByLabelText("Items")).not.toBeInTheDocument();
  });

  it("makes a run of each of several answers at a temperature, and says what they cost together", async () => {
    const requests = serve(RUN, () => jsonResponse(RUN, 201));
    openNew();
    await userEvent.type(await screen.findByLabelText("Answers to each item"), "3");
    expect(screen.getByText("Answers at temperature 0 are all equal. Enter a temperature above 0.")).toBeVisible();
    const begin = screen.getByRole("button", { name: "Answer five sample items" });
    expect(begin).toBeDisabled();
    await userEvent.type(screen.getByLabelText("Temperature"), "2.5");
    expect(screen.getByText("Enter a number from 0 to 2, or nothing.")).toBeVisible();
    await userEvent.clear(screen.getByLabelText("Temperature"));
    await userEvent.type(screen.getByLabelText("Temperature"), "0.7");
    expect(screen.getByText(/^3 runs, .* cost 3 times one of them\.$/)).toBeVisible();
    await userEvent.click(begin);
    expect(await screen.findByRole("heading", { name: "Your runs" })).toBeVisible();
    const sent = requests.filter(({ method }) => method === "POST").map(({ json }) => json);
    expect(sent).toMatchObject([{ settings: { temperature: 0.7 }, samples: 3 }]);
  });

  it("shows beside the number of answers why no run was made", async () => {
    const message = "3 of your 10 possible runs are active, so 8 more cannot begin. Choose fewer, or wait.";
    serve(RUN, () => problemResponse(409, "too_many_runs", message, [{ place: "samples", message, code: "too_many_runs", expected: "" }]));
    openNew();
    const count = await screen.findByLabelText("Answers to each item");
    await userEvent.type(count, "8");
    await userEvent.type(screen.getByLabelText("Temperature"), "1");
    await userEvent.click(screen.getByRole("button", { name: "Answer five sample items" }));
    await waitFor(() => expect(count).toHaveAccessibleDescription(expect.stringContaining(message)));
  });

  it("speaks of groundedness where rationales are compared, and offers several answers where a task takes them", async () => {
    serveTasks(TASK, { ...TASK, name: "biohopr-single", title: "One answer", compares_samples: false }, { ...TASK, name: "guided", title: "Guided", settings: [] });
    openNew();
    expect(await screen.findByText("Empty: one. Several are not ranked; the board compares the most grounded one.")).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Task"), "One answer");
    expect(screen.getByText("Empty: one. Several are not ranked.")).toBeVisible();
    await userEvent.type(screen.getByLabelText("Answers to each item"), "3");
    await userEvent.selectOptions(screen.getByLabelText("Task"), "Guided");
    expect(screen.queryByLabelText("Answers to each item")).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Answer five sample items" })).toBeEnabled();
  });

  it("says what a task lacks, and that a price is unknown", async () => {
    serve(RUN);
    openNew();
    await userEvent.selectOptions(await screen.findByLabelText("Task"), "With papers");
    expect(await screen.findByText("There is no public collection of papers.")).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Endpoint"), "cloud: large");
    expect(screen.getByText(/^Its price is unknown/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Answer five sample items" })).toBeDisabled();
  });

  it("has the cut-off of the release, and lets an earlier one be set", async () => {
    const requests = serveTasks({ ...LITERATURE, is_available: true, cutoff: 36_600_000 });
    openNew();
    expect(await screen.findByText(/that of the release, PMID 36600000/)).toBeVisible();
    const begin = screen.getByRole("button", { name: "Answer five sample items" });
    expect(begin).toBeEnabled();
    await userEvent.type(screen.getByLabelText("Cut-off"), "36600001");
    expect(screen.getByText("The cut-off of the release is 36600000. Enter it or an earlier one.")).toBeVisible();
    expect(begin).toBeDisabled();
    await userEvent.clear(screen.getByLabelText("Cut-off"));
    await userEvent.type(screen.getByLabelText("Cut-off"), "30000000");
    await userEvent.click(begin);
    await waitFor(() => expect(requests.find(({ method }) => method === "POST")?.json).toMatchObject({ settings: { cutoff: 30_000_000 } }));
  });

  it("needs a cut-off where the release has none, and offers no setting that the task does not use", async () => {
    serveTasks({ ...LITERATURE, is_available: true }, TASK);
    openNew();
    expect(await screen.findByText(/The release has none, and this task needs one/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Answer five sample items" })).toBeDisabled();
    await userEvent.selectOptions(screen.getByLabelText("Task"), TASK.title);
    expect(screen.queryByLabelText("Cut-off")).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Answer five sample items" })).toBeEnabled();
  });

  it("lets the search be chosen whose entities are put in order", async () => {
    const requests = serveTasks({ ...TASK, needs: ["candidates"], settings: ["ranker"] });
    openNew();
    await userEvent.selectOptions(await screen.findByLabelText("Search whose first entities are put in order"), "Vectors");
    await userEvent.click(screen.getByRole("button", { name: "Answer five sample items" }));
    await waitFor(() => expect(requests.find(({ method }) => method === "POST")?.json).toMatchObject({ settings: { ranker: "vss" } }));
  });

  it("lets the search for papers be chosen by the tasks that read them", async () => {
    const requests = serveTasks({ ...TASK, needs: ["papers"], settings: ["papers", "paper_ranker"] });
    openNew();
    await userEvent.selectOptions(await screen.findByLabelText("Search for papers"), "Words and vectors");
    await userEvent.selectOptions(screen.getByLabelText("Papers"), await screen.findByRole("option", { name: "Demo papers, 300 papers" }));
    expect(screen.queryByRole("option", { name: /Own papers/ })).not.toBeInTheDocument();
    expect(screen.queryByLabelText("Search whose first entities are put in order")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Answer five sample items" }));
    await waitFor(() => expect(requests.find(({ method }) => method === "POST")?.json).toMatchObject({ settings: { paper_ranker: "hybrid", papers: "demo-papers" } }));
  });

  it("shows why the server refuses it", async () => {
    serve(RUN, () => problemResponse(409, "no_queries_left", "You have no query left today."));
    openNew();
    await userEvent.click(await screen.findByRole("button", { name: "Answer five sample items" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("You have no query left today.");
  });
});

describe("a run", () => {
  it("shows the estimate, and starts with the budget that is entered", async () => {
    const requests = serve(RUN, () => ({ ...RUN, state: "running", allowed: ["pause", "cancel"] }));
    openRun();
    const estimate = await screen.findByRole("region", { name: "Estimate" });
    expect(within(estimate).getByText("$0.12, at most $0.50")).toBeVisible();
    expect(screen.getByText(/a 135-million-parameter model/)).toBeVisible();
    const budget = screen.getByLabelText("Budget in US dollars");
    expect(budget).toHaveValue("0.5");
    await userEvent.clear(budget);
    await userEvent.type(budget, "two");
    expect(screen.getByRole("button", { name: "Answer all items" })).toBeDisabled();
    await userEvent.clear(budget);
    await userEvent.type(budget, "2.50");
    await userEvent.click(screen.getByRole("button", { name: "Answer all items" }));
    expect(await screen.findByRole("button", { name: "Pause" })).toBeVisible();
    expect(requests.filter(({ method }) => method === "POST")).toMatchObject([{ path: "/api/v1/runs/r1/start", json: { budget: "2.50" } }]);
  });

  it("says when another model answers, and when tokens are miscounted", async () => {
    serve({ ...RUN, flags: { model_name: 4, token_count: 2, repaired: 1 }, models_returned: ["tiny-1", "tiny-2"] });
    openRun();
    expect(await screen.findByText("The endpoint names another model than was requested: tiny-1 and tiny-2.")).toBeVisible();
    expect(screen.getByText("The endpoint miscounts the tokens of 2 answers; the larger count is charged.")).toBeVisible();
    expect(screen.getByText("The JSON of 1 answer was mended before it was read.")).toBeVisible();
  });

  it("counts the papers that the cut-off leaves out, and answers beyond the limit", async () => {
    const papers = { collection: "Demo papers", papers: 3000, undated: 7, later: 1200 };
    serve({ ...RUN, estimate: RUN.estimate && { ...RUN.estimate, papers }, flags: { over_limit: 1 } });
    openRun();
    expect(await screen.findByText(/Demo papers, 3,000 papers\. Left out by the cut-off: 1,200 later, 7 without a date or PMID\./)).toBeVisible();
    expect(screen.getByText("The endpoint ignored the limit of tokens in 1 answer, at a cost above what was reserved.")).toBeVisible();
  });

  it("shows texts of models as text, and failures on their own", async () => {
    serve(RUN);
    openRun();
    expect(await screen.findByText("How is <b>aspirin</b> related to pain?")).toBeVisible();
    expect(screen.getByText("No prediction: the answer was cut off")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByText("How is iron related to fatigue?")).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Show"), "Cut off (1)");
    await waitFor(() => expect(screen.queryByText("How is <b>aspirin</b> related to pain?")).not.toBeInTheDocument());
    await userEvent.click(screen.getByText("Messages and answer"));
    expect(screen.getByText('{"lab')).toBeVisible();
  });

  it("pauses with the reason when its budget is used up, and resumes with a larger one", async () => {
    const paused: Run = { ...RUN, state: "paused", allowed: ["resume", "cancel"], error: { code: "USER_BUDGET_EXHAUSTED", detail: "The budget is used up." } };
    const requests = serve(paused, () => problemResponse(400, "budget_too_small", "", [{ place: "budget", message: "$0.40 is spent already.", code: "budget_too_small", expected: "" }]));
    openRun();
    expect(await screen.findByText("The budget is used up.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Resume" }));
    expect(await screen.findByText("$0.40 is spent already.")).toBeVisible();
    expect(requests.at(-1)?.path ?? "").toContain("/api/v1/runs");
  });

  it("has a heading where there is no such run", async () => {
    mockServer(() => undefined);
    openRun();
    expect(await screen.findByText("There is nothing here.")).toBeVisible();
    expect(screen.getByRole("heading", { name: "Run" })).toBeVisible();
  });

  it("leads to its submissions once it has ended, and has no steps for visitors", async () => {
    serve({ ...RUN, state: "ended", allowed: [], submissions: [{ id: "s1", split: "test", state: "scored" }], attempt_scores: [{ split: "test", attempts: "first", items: 100, scores: { link_f1: 0.4 } }] });
    openRun();
    expect(await screen.findByRole("link", { name: "Test items: scored" })).toHaveAttribute("href", "/submissions/s1");
    expect(screen.getByRole("columnheader", { name: "Test items, first try, n = 100" })).toBeVisible();
    expect(screen.getByRole("row", { name: /^link_f1/ })).toBeVisible();
    expect(screen.queryByRole("button", { name: /Cancel|Pause|Resume/ })).not.toBeInTheDocument();
  });
});

it("lists one's own runs, with how they were sampled", async () => {
  serve({ ...RUN, settings: { temperature: 0.7, sample: 2 }, is_of_command: true });
  renderRoute([{ path: "/runs", Component: RunsPage }], "/runs");
  const row = await screen.findByRole("row", { name: /^Small/ });
  expect(within(row).getByText("Sample 2, temperature 0.7")).toBeVisible();
  expect(within(row).getByText("Started by a command")).toBeVisible();
  expect(within(row).getByText("Waits for a budget")).toBeVisible();
  expect(within(row).getByText("5 of 120 items; 1 failed")).toBeVisible();
});

const EXPLORATION: Exploration = {
  split: "dev", position: 3, qid: "7", partition: "expert", root: "D:1", root_name: "aspirin", question: "Which drugs treat pain?", level: 2, has_ended: true,
  ending: "model_stopped", leaves: 1, requests: 5, calls: 5, tokens_in: 900, tokens_out: 80, cost: "0.002000",
};
describe("a guided exploration", () => {
  it("lists its roots, each with the page of its levels", async () => {
    const guided = { ...RUN, task: { ...RUN.task, is_stepwise: true } };
    mockServer(({ path }) => {
      if (path.startsWith("/api/v1/runs/r1/explorations?")) return jsonResponse({ count: 1, next: null, previous: null, results: [EXPLORATION] });
      return path === "/api/v1/runs/r1" ? jsonResponse(guided) : undefined;
    });
    openRun();
    const root = await screen.findByRole("link", { name: "From aspirin" });
    expect(root).toHaveAttribute("href", "/runs/r1/explorations/dev/3");
    expect(screen.getByText("The model stopped")).toBeVisible();
    expect(screen.queryByRole("region", { name: "Answers" })).not.toBeInTheDocument();
  });

  it("has the settings of the beam, and sends those that are entered", async () => {
    const requests = serveTasks({ ...TASK, needs: ["walked_graph"], settings: ["relations", "edges", "width", "depth", "without_summaries", "seed"] });
    openNew();
    await userEvent.type(await screen.findByLabelText("Entities of a level"), "x");
    expect(screen.getByRole("button", { name: "Answer five sample items" })).toBeDisabled();
    await userEvent.clear(screen.getByLabelText("Entities of a level"));
    await userEvent.type(screen.getByLabelText("Entities of a level"), "8");
    await userEvent.type(screen.getByLabelText("Seed"), "0");
    await userEvent.selectOptions(screen.getByLabelText("Descriptions of earlier levels"), "Left out");
    expect(screen.queryByLabelText("Weights of edges")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Answer five sample items" }));
    await waitFor(() => expect(requests.find(({ method }) => method === "POST")?.json).toMatchObject({ settings: { width: 8, seed: 0, without_summaries: true } }));
  });
});
