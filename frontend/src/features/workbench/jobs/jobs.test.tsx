import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { problemResponse, jsonResponse, mockServer, makeUser, renderRoute, type RecordedRequest } from "@/test/visit";
import { makeJob } from "@/domains/jobs/fixtures";
import { makeQuestionSet } from "../fixtures";
import type { ComputationJob, Kind } from "./api";
import { ComputationsPage } from "./ComputationsPage";
import { SetsFilePage } from "./SetsFilePage";

interface FakeSocket {
  address: string;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  close: () => void;
}

const sockets: FakeSocket[] = [];

beforeEach(() => {
  sockets.length = 0;
  vi.stubGlobal("WebSocket", class {
    onopen = null;
    onmessage = null;
    close = () => undefined;
    constructor(readonly address: string) {
      sockets.push(this);
    }
  });
});

interface Change extends Partial<Pick<ComputationJob, "id" | "state" | "percent" | "result" | "created_at" | "error">> {
  kind?: Kind | "scoring";
  set?: string;
  options?: Record<string, unknown>;
}

function aComputation({ kind = "embedding", set, options = { method: "propagation" }, ...change }: Change = {}): ComputationJob {
  const end = new Date(Date.now() + 110_000).toISOString();
  const job = makeJob({ id: "c1", kind: `rns-${kind}`, details: { graph: "demo", snapshot: "abc", question_set: set ?? null }, estimated_end_at: end });
  return { ...job, parameters: { options }, result: {}, ...change };
}

const GRAPH = { slug: "demo", name: "Demo graph", latest: "abc", versions: [{ number: 2, snapshot: "abc" }], types: [] };

function openComputations(all: () => ComputationJob[], more: (request: RecordedRequest) => globalThis.Response | undefined = () => undefined, path = "/workbench/computations") {
  const requests = mockServer((one) => {
    const own = more(one);
    if (own) return own;
    if (one.path.endsWith("/jobs")) return jsonResponse({ results: all() });
    if (one.path.endsWith("/question-sets")) return jsonResponse({ results: [makeQuestionSet()] });
    if (one.path.endsWith("/graphs")) return jsonResponse({ results: [GRAPH] });
    return undefined;
  });
  renderRoute([{ path: "workbench/computations", Component: ComputationsPage }], path);
  return requests;
}

describe("the page of computations", () => {
  it("says what will be listed while nothing was asked for", async () => {
    openComputations(() => []);
    expect(await screen.findByText(/You have not started a computation yet/)).toBeInTheDocument();
  });

  it("asks for what was chosen, and only with the choices that matter to it", async () => {
    const requests = openComputations(() => [], ({ method }) => (method === "POST" ? jsonResponse(aComputation({ kind: "partition", set: "s1", state: "queued", percent: 0 }), 202) : undefined));
    await userEvent.click(await screen.findByRole("radio", { name: /^Vectors of a graph/ }));
    await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Graph version" }), "demo@2");
    expect(screen.queryByRole("combobox", { name: "How links are walked" })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Compute the vectors" }));
    await waitFor(() => expect(requests.find(({ method }) => method === "POST")?.json).toEqual({ kind: "rns-embedding", parameters: { graph: "demo@2", method: "propagation" } }));
    await userEvent.click(screen.getByRole("radio", { name: /^Partitions of a question set/ }));
    expect(screen.getByRole("button", { name: "Compute the partitions" })).toBeDisabled();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Question set" }), "s1");
    await userEvent.type(screen.getByRole("textbox", { name: /Size of the serendipity sets/ }), "2");
    await userEvent.click(screen.getByRole("button", { name: "Compute the partitions" }));
    await waitFor(() => expect(requests.findLast(({ method }) => method === "POST")?.json).toMatchObject({ kind: "rns-partition", parameters: { question_set: "s1", size: 2, support: "all" } }));
    expect(await screen.findByText("Computation started. Progress is shown below.")).toBeInTheDocument();
  });

  it("keeps the requested computation in sight when the list cannot be read again", async () => {
    let isAway = false;
    openComputations(() => [], ({ method, path }) => {
      if (method === "POST") {
        isAway = true;
        return jsonResponse(aComputation({ state: "queued", percent: 0 }), 202);
      }
      return isAway && path.endsWith("/jobs") ? problemResponse(503, "busy", "The server does not answer.") : undefined;
    }, "/workbench/computations?kind=embedding&graph=demo@2");
    await userEvent.click(await screen.findByRole("button", { name: "Compute the vectors" }));
    expect(await screen.findByText("Computation started. Progress is shown below.")).toBeInTheDocument();
    expect(screen.getByRole("article", { name: "Vectors, in demo" })).toBeInTheDocument();
  });

  it("says that somebody else has the same under way", async () => {
    openComputations(() => [], ({ method }) => (method === "POST" ? jsonResponse(aComputation(), 200) : undefined), "/workbench/computations?kind=embedding&graph=demo@2");
    await userEvent.click(await screen.findByRole("button", { name: "Compute the vectors" }));
    expect(await screen.findByText(/^Somebody else has started the same computation\./)).toBeInTheDocument();
  });

  it("marks what was computed before, also by a command, and leads to where it is of use", async () => {
    const computation = aComputation({ kind: "partition", set: "s1", state: "succeeded", percent: 100, result: { questions: 60, new: 60 } });
    openComputations(() => [], ({ method }) => (method === "POST" ? jsonResponse(computation, 200) : undefined), "/workbench/computations?kind=partition&graph=demo@2&set=s1");
    const ask = await screen.findByRole("button", { name: "Compute the partitions" });
    await waitFor(() => expect(ask).toBeEnabled());
    await userEvent.click(ask);
    expect(await screen.findByText(/The result is marked below\./)).toBeInTheDocument();
    const marked = await screen.findByRole("article", { name: "Partitions of SerenQA demo, in demo" });
    expect(within(marked).getByRole("link", { name: "Open its questions" })).toHaveAttribute("href", "/workbench?set=s1");
  });

  it("begins with what another page lacked", async () => {
    openComputations(() => [], undefined, "/workbench/computations?kind=embedding&graph=demo@2&method=gcn");
    expect(await screen.findByRole("radio", { name: /^Vectors of a graph/ })).toBeChecked();
    await waitFor(() => expect(screen.getByRole("combobox", { name: "Graph version" })).toHaveValue("demo@2"));
    expect(screen.getByRole("combobox", { name: "Relevance comes from" })).toHaveValue("gcn");
  });

  it("follows what is under way by what the server tells, and stops when it has ended", async () => {
    let now = aComputation();
    const requests = openComputations(() => [now]);
    expect(await screen.findByText("Running: second hop, 41%, about 2 min left")).toBeInTheDocument();
    expect(screen.getByRole("progressbar", { name: "Progress: Vectors, in demo" })).toHaveAttribute("aria-valuenow", "41");
    expect(sockets.map(({ address }) => address)).toEqual([expect.stringMatching(/^ws:.*\/ws\/jobs$/)]);
    now = aComputation({ state: "succeeded", percent: 100, options: { method: "gcn" }, result: { dimensions: 64, without_vector: 3, method: "gcn", aucs: [] } });
    sockets[0]?.onmessage?.({ data: JSON.stringify({ type: "changed", what: "job", id: "c1", version: 4 }) });
    expect(await screen.findByText("Vectors of 64 numbers, 3 entities without one.")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Score sets in this graph" })).toHaveAttribute("href", "/explore/demo/rns?method=gcn&snapshot=abc");
    expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
    const before = requests.length;
    await new Promise((done) => setTimeout(done, 50));
    expect(requests).toHaveLength(before);
  });

  it("says what went wrong, what was left out, and what was chosen", async () => {
    openComputations(() => [
      aComputation({ id: "c2", state: "failed", error: { code: "PLATFORM_DISK_FULL", detail: "The disk of the server is full.", errors: [] } }),
      aComputation({
        id: "c3", kind: "partition", state: "succeeded", set: "s1", options: { direction: "out", size: 2 },
        result: { questions: 59, new: 59, how: { exact: 57, greedy: 2 }, left_out: { 7001: "fewer than two of its answers are in this graph" }, left_out_total: 1 },
      }),
    ]);
    expect(await screen.findByText("The disk of the server is full.")).toBeInTheDocument();
    const partitions = await screen.findByRole("article", { name: "Partitions of SerenQA demo, in demo" });
    expect(partitions).toHaveTextContent("59 questions partitioned, 57 exact and 2 by a greedy search; 59 of them new or different. 1 question left out.");
    expect(partitions).toHaveTextContent("Non-default options: how links are walked: as they point; serendipity sets of 2.");
    expect(within(partitions).getByText("question 7001 of its file")).toBeInTheDocument();
  });

  it("cancels after a question, and says why it could not", async () => {
    const refusal = () => problemResponse(409, "has_ended", "This had ended before it could be cancelled.");
    openComputations(() => [aComputation()], ({ path }) => (path.endsWith("/cancel") ? refusal() : undefined));
    await userEvent.click(await screen.findByRole("button", { name: "Cancel: Vectors, in demo" }));
    expect(screen.getByRole("button", { name: "Continue the job" })).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Cancel the job" }));
    expect(await screen.findByText("This had ended before it could be cancelled.")).toBeInTheDocument();
  });

  it("keeps what was chosen when it is refused", async () => {
    openComputations(() => [], ({ method }) => (method === "POST" ? problemResponse(403, "not_allowed", "Only administrators and coordinators may have this computed.") : undefined), "/workbench/computations?graph=demo@2");
    await userEvent.click(await screen.findByRole("button", { name: "Compute the walks" }));
    expect(await screen.findByText(/Only administrators and coordinators.*Your entries are still in the form/)).toBeInTheDocument();
    expect(screen.getByRole("combobox", { name: "Graph version" })).toHaveValue("demo@2");
  });
});

const LINES = ['{"existing": ["D:1"], "serendipity": ["D:2"]}', "{", "", '{"existing": [], "serendipity": ["D:2"]}'].join("\n");

function openFiles(me: ReturnType<typeof makeUser> | null, own: () => ComputationJob[] = () => [], post: () => globalThis.Response = () => problemResponse(404, "not_found")) {
  const requests = mockServer(({ path, method }) => {
    if (path.endsWith("/me")) return jsonResponse({ user: me });
    if (method === "POST") return post();
    if (path.endsWith("/jobs")) return jsonResponse({ results: own() });
    if (path.includes("/graphs/demo")) return jsonResponse(GRAPH);
    return undefined;
  });
  renderRoute([{ path: "explore/:slug/rns/file", Component: SetsFilePage }], "/explore/demo/rns/file");
  return requests;
}

const researcher = makeUser({ roles: { researcher: true, administrator: false, coordinator: false }, studies: [] });

async function choose(text: string, name = "mine.jsonl") {
  await screen.findByRole("heading", { name: "Score a file" });
  await userEvent.upload(document.querySelector("input[type=file]") as HTMLInputElement, new File([text], name));
}

function scoring(change: Change = {}): ComputationJob {
  return aComputation({ kind: "scoring", options: { actor: "ada", sets: 3 }, created_at: new Date().toISOString(), ...change });
}

describe("the page of files of sets", () => {
  it("shows a visitor what such a file is, and the way to sign in", async () => {
    openFiles(null);
    expect(await screen.findByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/sign-in?next=%2Fexplore%2Fdemo%2Frns%2Ffile");
    expect(screen.getByText(/20,000 sets in 24 hours/)).toBeInTheDocument();
  });

  it("tells an expert who may send one", async () => {
    openFiles(makeUser());
    expect(await screen.findByText(/Ask an administrator for the researcher role/)).toBeInTheDocument();
    expect(document.querySelector("input[type=file]")).toBeNull();
  });

  it("says what is wrong by line before it is sent, and sends it all the same", async () => {
    let own: ComputationJob[] = [];
    openFiles(researcher, () => own, () => {
      own = [scoring({ state: "queued", percent: 0 })];
      return jsonResponse(own[0], 202);
    });
    await choose(LINES);
    expect(await screen.findByText("2 of 3 lines cannot be scored. The others can.")).toBeInTheDocument();
    const wrong = screen.getByRole("table", { name: "Errors" });
    expect(wrong).toHaveTextContent("line 2This line is not a JSON object.line 4'existing' is empty.");
    await userEvent.click(screen.getByRole("button", { name: "Score 1 set" }));
    expect(await screen.findByText("Waiting for a worker")).toBeInTheDocument();
    expect(screen.getByText(/^3 of your 20,000 sets used in the last 24 hours/)).toBeInTheDocument();
    expect(screen.getByText("Your file is being scored. You can send the next one when it has finished.")).toBeInTheDocument();
  });

  it("gives the results and the lines that could not be scored, of own files alone", async () => {
    const result = { sets: 3, failed: 2, faults: [{ line: 2, id: null, message: "This line is not a JSON object." }, { line: 4, id: "x", message: "There is no entity D:9." }] };
    openFiles(researcher, () => [scoring({ state: "succeeded", percent: 100, result }), scoring({ id: "c9", options: { actor: "bob", sets: 9000 } })]);
    expect(await screen.findByText("1 of 3 sets scored; 2 lines could not be.")).toBeInTheDocument();
    expect(screen.getByRole("table", { name: "Lines that could not be scored" })).toHaveTextContent("line 4, xThere is no entity D:9.");
    expect(screen.getByRole("button", { name: "Download the results" })).toBeInTheDocument();
    expect(screen.getAllByRole("article")).toHaveLength(1);
    expect(screen.getByText(/^3 of your 20,000/)).toBeInTheDocument();
  });

  it("does not send a file in which no line can be scored", async () => {
    openFiles(researcher);
    await choose("{\n[]\n");
    expect(await screen.findByText("2 of 2 lines cannot be scored. Correct the file and choose it again.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Score the file" })).toBeDisabled();
  });

  it("says when the quota is spent, and keeps the file", async () => {
    openFiles(researcher, () => [], () => problemResponse(429, "quota", "20,000 sets are scored for one person in a day; 19,999 of yours were, and this file has 3."));
    await choose(LINES);
    await userEvent.click(await screen.findByRole("button", { name: "Score 1 set" }));
    expect(await screen.findByText(/^The file was not sent: 20,000 sets.*It is still selected/)).toBeInTheDocument();
    expect(screen.getByText("mine.jsonl")).toBeInTheDocument();
  });

  it("says that a file has no sets", async () => {
    openFiles(researcher);
    await choose("\n\n", "empty.jsonl");
    expect(await screen.findByText("This file has no sets.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Score the file" })).toBeDisabled();
  });
});
