import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Submission } from "@/domains/evaluation/queries";
import { makeJob } from "@/domains/jobs/fixtures";
import { FakeSocket, lastSocket, LOST, stubSockets } from "@/test/fakeSocket";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { NewSubmissionPage } from "./NewSubmissionPage";
import { stateLabel } from "./labels";
import { SubmissionPage } from "./SubmissionPage";
import { SubmissionsPage } from "./SubmissionsPage";

const RELEASE = { slug: "pairs", name: "Pairs", track: "truthhypo", state: "open", items: { dev: 2, test: 4 } };
const MODEL = { slug: "mine", name: "Mine", team: null };
const SUBMISSION = {
  id: "one",
  release: "pairs",
  release_name: "Pairs",
  track: "truthhypo",
  split: "dev",
  model: MODEL,
  state: "scored",
  score_visibility: "shown",
  file_name: "p.csv",
  created_at: "2026-11-22T10:00:00Z",
  is_standing: false,
  may_be_final: false,
  scores: [],
  declared: { hardware: "One CPU", method: "Five shots\nGreedy", notes: "Ours", cost_usd: 0 },
};
const TRACK = {
  slug: "truthhypo",
  title: "Hypotheses",
  predictions: { columns: [{ name: "x_id", aliases: [] }, { name: "label", aliases: ["prediction"] }], example: '{"x_id": "a", "label": "b"}\n' },
};

/** The forms that were sent, by path. */
function openServer(): Record<string, FormData> {
  mockServer(({ path, method }) => {
    if (path === "/api/v1/submissions" && method === "POST") return jsonResponse(SUBMISSION, 202);
    if (path.startsWith("/api/v1/submissions?")) return jsonResponse({ results: [] });
    if (path.endsWith("/query-report")) return jsonResponse({ queries: 3, failed: 1, without_entity: 1, without_result: 1, kinds: { time: 1 }, failures: [{ item: "7001", line: 4, question: "Which drugs?", kind: "time", message: "Add a LIMIT." }] });
    if (path.endsWith("/withdraw") || path === "/api/v1/submissions/one") return jsonResponse(SUBMISSION);
    if (path.startsWith("/api/v1/releases?")) return jsonResponse({ results: [RELEASE, { ...RELEASE, slug: "old", name: "Old", state: "closed" }] });
    if (path.startsWith("/api/v1/models")) return jsonResponse({ results: [MODEL] });
    if (path === "/api/v1/tracks/truthhypo") return jsonResponse(TRACK);
    if (path === "/api/v1/validations") return jsonResponse({ is_valid: true, items: 2, answered: 2, total: 0, faults: [], notices: [] });
    return undefined;
  });
  const forms: Record<string, FormData> = {};
  const answer = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    if (init.body instanceof FormData) forms[path] = init.body;
    return answer(path, init);
  });
  return forms;
}

/** A request under way, which the test lets go on. */
class PendingUpload {
  static all: PendingUpload[] = [];
  upload: { onprogress?: (event: { loaded: number; total: number }) => void; onload?: () => void } = {};
  onload?: () => void;
  onabort?: () => void;
  status = 200;
  responseText = "";
  path = "";
  isAborted = false;
  headers: Record<string, string> = {};
  constructor() {
    PendingUpload.all.push(this);
  }
  open(_method: string, path: string) {
    this.path = path;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader() {
    return null;
  }
  send() {
    return undefined;
  }
  abort() {
    this.isAborted = true;
    this.onabort?.();
  }
}

const routes = [
  { path: "/submissions", Component: SubmissionsPage },
  { path: "/submissions/new", Component: NewSubmissionPage },
  { path: "/submissions/:id", Component: SubmissionPage },
];

describe("the form of a submission", () => {
  it("is there without the columns where they could not be read", async () => {
    openServer();
    const answer = globalThis.fetch;
    const reads: string[] = [];
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      if (!path.includes("/tracks/")) return answer(path, init);
      reads.push(path);
      return Promise.resolve(problemResponse(404, "not_found", "There is no such track."));
    });
    renderRoute(routes, "/submissions/new");
    expect(await screen.findByRole("button", { name: "Submit for a score" })).toBeInTheDocument();
    expect(screen.queryByText(/columns or fields/)).not.toBeInTheDocument();
    expect(reads).toHaveLength(1);
  });

  it("stays while the format of another track is read, with what was opened in it", async () => {
    openServer();
    const answer = globalThis.fetch;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      if (path.startsWith("/api/v1/releases?")) return jsonResponse({ results: [RELEASE, { ...RELEASE, slug: "queries", name: "Queries", track: "stark-prime" }] });
      if (path === "/api/v1/tracks/truthhypo") return Promise.resolve(problemResponse(404, "not_found", "There is no such track."));
      if (path === "/api/v1/tracks/stark-prime") return new Promise(() => undefined);
      return answer(path, init);
    });
    renderRoute(routes, "/submissions/new");
    await userEvent.click(await screen.findByText("What is declared"));
    const hardware = screen.getByLabelText("Hardware");
    await userEvent.selectOptions(screen.getByLabelText("Release"), "queries");
    expect(screen.getByLabelText("Release")).toHaveValue("queries");
    expect(screen.getByLabelText("Hardware")).toBe(hardware);
  });

  it("shows the columns of the track with its example", async () => {
    openServer();
    renderRoute(routes, "/submissions/new");
    expect(await screen.findByText("A file has the columns or fields x_id, label (or prediction).")).toBeInTheDocument();
    expect(screen.getByLabelText("Example of a file of Hypotheses")).toHaveValue('{"x_id": "a", "label": "b"}');
    expect(screen.getByRole("link", { name: /Hypotheses/ })).toHaveAttribute("href", "/tracks/truthhypo");
    expect(screen.getByText(/TSV/)).toBeInTheDocument();
  });

  it("sends the split and what is declared", async () => {
    const forms = openServer();
    renderRoute(routes, "/submissions/new");
    await userEvent.click(await screen.findByRole("radio", { name: "Dev items" }));
    await userEvent.upload(document.querySelector<HTMLInputElement>('input[type="file"]')!, new File(["x"], "p.csv"));
    expect(forms["/api/v1/validations"]?.get("split")).toBe("dev");
    await userEvent.click(screen.getByText("What is declared"));
    await userEvent.type(screen.getByLabelText("Hardware"), "One CPU");
    await userEvent.type(screen.getByLabelText("How it was made"), "Five examples");
    await userEvent.type(screen.getByLabelText("Cost, in US dollars"), "much");
    const submit = screen.getByRole("button", { name: "Submit for a score" });
    expect(submit).toBeDisabled();
    await userEvent.clear(screen.getByLabelText("Cost, in US dollars"));
    await userEvent.type(screen.getByLabelText("Cost, in US dollars"), "1.5");
    await userEvent.click(submit);
    await screen.findByRole("heading", { level: 1, name: "Mine" });
    const { file, ...sent } = Object.fromEntries(forms["/api/v1/submissions"] ?? []);
    expect(file).toBeInstanceOf(File);
    expect(sent).toEqual({ release: "pairs", split: "dev", model: "mine", hardware: "One CPU", method: "Five examples", cost_usd: "1.5" });
  });
});

describe("what is wrong with a file", () => {
  const FAULT = { line: 3, field: "label", item: "", code: "unknown_label", message: "Unknown.", expected: "one of a, b", given: "c" };
  const upload = () => userEvent.upload(document.querySelector<HTMLInputElement>('input[type="file"]')!, new File(["x"], "p.csv"));

  function refuse() {
    openServer();
    const answer = globalThis.fetch;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) =>
      path === "/api/v1/validations" ? Promise.resolve(jsonResponse({ is_valid: false, items: 2, answered: 1, total: 1, faults: [FAULT], notices: [] })) : answer(path, init),
    );
  }

  it("stands right below the file, before the other fields, with the columns' names for phones", async () => {
    refuse();
    renderRoute(routes, "/submissions/new");
    await screen.findByRole("radio", { name: "Dev items" });
    await upload();
    const table = await screen.findByRole("table", { name: "All errors" });
    expect(table.compareDocumentPosition(screen.getByLabelText("Anonymous until"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.getByText("What is declared").compareDocumentPosition(table)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
    expect(table.style.getPropertyValue("--column-3")).toBe('"Expected"');
    expect(screen.getByText("The file has errors. Correct it and choose it again.")).toBeInTheDocument();
  });

  it("is stated beside the button, as is all else that is missing", async () => {
    openServer();
    renderRoute(routes, "/submissions/new");
    expect(await screen.findByText("Missing: a file of predictions.")).toBeInTheDocument();
    await userEvent.selectOptions(screen.getByLabelText("Model"), "A new model");
    expect(screen.getByText("Missing: the name of the new model.")).toBeInTheDocument();
    await upload();
    await screen.findByText(/The file has no error/);
    expect(screen.getByRole("button", { name: "Submit for a score" })).toBeDisabled();
    await userEvent.type(screen.getByLabelText("Name of the new model"), "New");
    expect(screen.queryByText(/Missing/)).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Submit for a score" })).toBeEnabled();
  });
});

describe("a large file", () => {
  const large = (name: string) => new File([new Uint8Array(2_000_000)], name);

  it("has its progress while it is sent, then its report", async () => {
    openServer();
    PendingUpload.all = [];
    vi.stubGlobal("XMLHttpRequest", PendingUpload);
    renderRoute(routes, "/submissions/new");
    await screen.findByRole("radio", { name: "Dev items" });
    await userEvent.upload(document.querySelector<HTMLInputElement>('input[type="file"]')!, large("p.csv"));
    const [sent] = PendingUpload.all;
    expect(sent?.path).toBe("/api/v1/validations");
    expect(sent?.headers).toHaveProperty("x-csrftoken");
    act(() => sent?.upload.onprogress?.({ loaded: 500_000, total: 2_000_000 }));
    expect(await screen.findByText("500 kB of 2 MB")).toBeInTheDocument();
    expect(screen.getByRole("progressbar", { name: "Sent" })).toHaveAttribute("aria-valuenow", "500000");
    act(() => sent?.upload.onload?.());
    expect(await screen.findByText("Checking the file…")).toBeInTheDocument();
    sent!.responseText = JSON.stringify({ is_valid: true, items: 2, answered: 2, total: 0, faults: [], notices: [] });
    act(() => sent?.onload?.());
    expect(await screen.findByText(/The file has no error/)).toBeInTheDocument();
  });

  it("is not sent to its end where another is chosen", async () => {
    openServer();
    PendingUpload.all = [];
    vi.stubGlobal("XMLHttpRequest", PendingUpload);
    renderRoute(routes, "/submissions/new");
    await screen.findByRole("radio", { name: "Dev items" });
    const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
    await userEvent.upload(input, large("p.csv"));
    await userEvent.upload(input, large("q.csv"));
    expect(PendingUpload.all.map(({ isAborted }) => isAborted)).toEqual([true, false]);
    expect(screen.getByText(/Sending the file/)).toBeInTheDocument();
    expect(screen.queryByText(/aborted/)).not.toBeInTheDocument();
  });
});

describe("a submission", () => {
  it.each([[["all", "few"]], [[]]])("shows a row for each group of items, in the order of a board with the groups %j, its main metric first", async (slices) => {
    const score = { low: 40, high: 60, n: 9, coverage: 1, interval_reason: "" };
    const scores = [["recall", "all", 50, 1], ["f1", "all", 60, 1], ["recall", "few", 70, 0.5], ["f1", "few", 80, 0.5]].map(([metric, slice, value, coverage]) => ({ ...score, metric, slice, value, coverage }));
    const metrics = [{ id: "recall", label: "Recall", unit: "percent" }, { id: "f1", label: "F1", unit: "percent" }, { id: "mrr", label: "MRR", unit: "fraction" }];
    mockServer(({ path }) => {
      if (path === "/api/v1/submissions/one") return jsonResponse({ ...SUBMISSION, scores });
      return path.startsWith("/api/v1/boards/pairs") ? jsonResponse({ metrics, main_metric: "f1", slices, results: [] }) : undefined;
    });
    renderRoute(routes, "/submissions/one");
    const table = await screen.findByRole("table", { name: "Scores" });
    await within(table).findByRole("columnheader", { name: "F1" });
    const [head, all, few] = within(table).getAllByRole("row");
    expect(head).toHaveTextContent("ItemsF1Recalln");
    expect(all).toHaveTextContent("All items60.0 40.0 to 60.050.0 40.0 to 60.09");
    expect(few).toHaveTextContent("few80.0 40.0 to 60.070.0 40.0 to 60.09 coverage 50%");
    expect(screen.getByText(/p.csv, for Pairs, dev items/)).toBeInTheDocument();
  });

  it.each([["6a1f-job", true], [null, false]])("that failed states why, and the reference %s of its job", async (job, isShown) => {
    const error = { code: "PLATFORM_DISK_FULL", detail: "The disk is full.", errors: [], job };
    mockServer(({ path }) => (path === "/api/v1/submissions/one" ? jsonResponse({ ...SUBMISSION, state: "failed", error }) : undefined));
    renderRoute(routes, "/submissions/one");
    expect(await screen.findByText("The disk is full.")).toBeInTheDocument();
    const reference = screen.queryByText(/^Reference:/)?.textContent ?? "";
    expect(reference.includes("6a1f-job")).toBe(isShown);
  });

  it("catches up with its job and its state after its socket was lost", async () => {
    stubSockets();
    let job = makeJob({ kind: "evaluation", subjects: ["submission:one"], state: "queued", phase: "", percent: 0, jobs_before: 4 });
    let state = "queued";
    mockServer(({ path }) => {
      if (path === "/api/v1/submissions/one") return jsonResponse({ ...SUBMISSION, state });
      return path.startsWith("/api/v1/jobs") ? jsonResponse({ results: [job] }) : undefined;
    });
    renderRoute(routes, "/submissions/one");
    expect(await screen.findByText(/4 jobs/)).toBeInTheDocument();
    lastSocket("/ws/jobs").onopen?.();
    act(() => lastSocket().onclose?.({ code: LOST }));
    job = { ...job, state: "running", phase: "scoring", percent: 80, jobs_before: null, version: 4 };
    act(() => void window.dispatchEvent(new Event("online")));
    expect(FakeSocket.all).toHaveLength(2);
    lastSocket().onopen?.();
    // Sooner than by polling, which begins again with each loss.
    expect(await screen.findByText(/scoring, 80%/, {}, { timeout: 1_500 })).toBeInTheDocument();
    state = "scored";
    expect(await screen.findByText(/Scored/, {}, { timeout: 4_000 })).toBeInTheDocument();
    expect(lastSocket().isClosed).toBe(true);
  });

  it.each([
    [true, { sample: "9 of 60 items" }, "On the board, without a rank"],
    [false, { sample: "repeated answers, sample 1" }, "A sample, not on the board"],
    [true, {}, "On the board"],
  ])("states whether the board ranks it: %s, %o", (stands, declared, label) => {
    expect(stateLabel({ ...SUBMISSION, is_standing: stands, declared } as unknown as Submission)).toBe(label);
  });

  it("states why an entry was left out when it should have been scored again", async () => {
    const lost = { ...SUBMISSION, state: "scored", error: { code: "PLATFORM_FILE_LOST", detail: "The stored file is lost.", errors: [], job: null } };
    mockServer(({ path }) => (path === "/api/v1/submissions/one" ? jsonResponse(lost) : undefined));
    renderRoute(routes, "/submissions/one");
    expect(await screen.findByText("The stored file is lost.")).toBeInTheDocument();
    expect(stateLabel(lost as unknown as Submission)).toBe("Not scored again, not on the board");
  });

  it("shows what was declared and the full date", async () => {
    openServer();
    renderRoute(routes, "/submissions/one");
    const method = await screen.findByText(/Five shots/);
    expect(method.textContent).toBe("Five shots\nGreedy");
    expect(method.previousElementSibling).toHaveTextContent("How it was made");
    expect(screen.getByText("Ours")).toBeInTheDocument();
    expect(screen.getByText("One CPU")).toBeInTheDocument();
    expect(screen.getByText("$0.00")).toBeInTheDocument();
    expect(screen.getByText(/22 November 2026 at .* (UTC|GMT)/)).toBeInTheDocument();
  });

  it("states its rank and leads to its result", async () => {
    mockServer(({ path }) => {
      if (path === "/api/v1/submissions/one") return jsonResponse({ ...SUBMISSION, is_standing: true });
      return path === "/api/v1/results/one" ? jsonResponse({ entry: { rank: { best: 2, worst: 4 } } }) : undefined;
    });
    renderRoute(routes, "/submissions/one");
    expect(await screen.findByText("On the board. Rank 2 to 4.")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "See the result" })).toHaveAttribute("href", "/results/one");
  });

  it("stays on the board without a choice of a final entry, as the server has it", async () => {
    mockServer(({ path }) => (path === "/api/v1/submissions/one" ? jsonResponse({ ...SUBMISSION, may_be_final: true }) : undefined));
    renderRoute(routes, "/submissions/one");
    expect(await screen.findByText("Without a choice, the board keeps the entry of Mine that stands when the release closes.")).toBeInTheDocument();
  });

  it("shows which queries failed and why", async () => {
    openServer();
    renderRoute(routes, "/submissions/one");
    expect(await screen.findByText(/2 of 3 queries ran/)).toBeInTheDocument();
    expect(screen.getByText(/^1 query ran and returned something, but named no entity/)).toBeInTheDocument();
    expect(screen.getByText("1 query ran and returned nothing.")).toBeInTheDocument();
    expect(screen.getByRole("row", { name: /^4 7001 Which drugs\? time Stopped at the time limit\. Add a LIMIT/ })).toBeInTheDocument();
  });

  it("is withdrawn with a reason", async () => {
    openServer();
    const requests = vi.fn();
    const answer = globalThis.fetch;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      if (path.endsWith("/withdraw")) requests(init.body);
      return answer(path, init);
    });
    renderRoute(routes, "/submissions/one");
    await userEvent.click(await screen.findByRole("button", { name: "Withdraw" }));
    await userEvent.type(await screen.findByLabelText("Reason"), "A wrong file.");
    await userEvent.click(screen.getByRole("button", { name: "Withdraw it" }));
    expect(requests).toHaveBeenCalledWith('{"reason":"A wrong file."}');
  });
});

it("leads who has not submitted yet to the open releases", async () => {
  openServer();
  renderRoute(routes, "/submissions");
  expect(await screen.findByRole("link", { name: "Pairs" })).toHaveAttribute("href", "/releases/pairs");
  expect(screen.queryByRole("link", { name: "Old" })).not.toBeInTheDocument();
});
