import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BatchAssignments, ExpertBatch } from "@/api/contract";
import { clearAccountData, sharedStore, engineFor } from "@/lib/offline";
import { rankingPayload } from "@/test/offline/fakeServer";
import { makeBatch, problemResponse, jsonResponse, mockServer, makeUser, renderRoute } from "@/test/visit";
import { BatchSummaryPage } from "./BatchSummaryPage";
import { HomePage } from "./HomePage";

let rows: ExpertBatch[];
let failing: boolean;
let silent: boolean;

const ROUTES = [
  { path: "/home", Component: HomePage },
  { path: "/rank/:batchId/end", Component: BatchSummaryPage },
];

const done = makeBatch({ answered: 10, outcomes: { confirmed: 6, changed: 3, not_sure: 1, skipped: 0 }, median_active_ms: 41_000 });

beforeEach(() => {
  rows = [];
  failing = false;
  silent = false;
  mockServer(({ path }) => {
    if (silent && path !== "/api/v1/me") throw new TypeError("Failed to fetch");
    if (path === "/api/v1/me") return jsonResponse({ user: makeUser() });
    if (path !== "/api/v1/batches") return undefined;
    return failing ? problemResponse(409, "resting", "The server is resting.") : jsonResponse({ results: rows });
  });
});

afterEach(async () => {
  await clearAccountData("ada");
  await (await sharedStore()).updateQueue("ada", "assignment-1", () => ({ queue: [], serverResponse: null }));
});

const rowOf = async (name: string) => {
  const heading = await screen.findByRole("heading", { level: 3, name });
  return within(heading.closest("li") as HTMLElement);
};

describe("the home page", () => {
  it("says what will be here while nothing is assigned", async () => {
    renderRoute(ROUTES, "/home");
    expect(await screen.findByText(/appear here when a coordinator assigns/)).toBeInTheDocument();
  });

  it("shows how far each batch is, what is left and the way in", async () => {
    rows = [
      makeBatch({ answered: 4, drafts: 1, outcomes: { skipped: 2 }, expected_left_ms: 48 * 60_000 }),
      makeBatch({ id: "batch-2", number: 2, name: "Cancer" }),
      { ...done, id: "batch-3", number: 3 },
    ];
    renderRoute(ROUTES, "/home");
    const first = await rowOf("Batch 1");
    expect(first.getByText("4 of 10 answered · 1 draft · 2 skipped, shown again at the end")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Continue: Batch 1" })).toHaveAttribute("href", "/rank/batch-1");
    expect(first.queryByRole("link", { name: "Continue: Batch 1" })).not.toBeInTheDocument();
    const second = await rowOf("Cancer");
    expect(second.getByText("0 of 10 answered")).toBeInTheDocument();
    expect(second.getByRole("link", { name: "Begin: Cancer" })).toHaveAttribute("href", "/rank/batch-2");
    const third = await rowOf("Batch 3");
    expect(third.getByRole("link", { name: "View my answers: Batch 3" })).toHaveAttribute("href", "/rank/batch-3/end");
  });

  it("leads to the introduction, once for a study, before any question", async () => {
    const study = { ...makeBatch().study, to_read: "introduction" as const };
    rows = [makeBatch({ study }), makeBatch({ id: "batch-2", number: 2, study })];
    renderRoute(ROUTES, "/home");
    const links = await screen.findAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/studies/study-1/introduction"]);
  });

  it("leaves a closed study readable", async () => {
    rows = [makeBatch({ answered: 4, study: { ...makeBatch().study, status: "closed" } })];
    renderRoute(ROUTES, "/home");
    const row = await rowOf("Batch 1");
    expect(row.getByText(/answers can be read, not changed/)).toBeInTheDocument();
    expect(row.getByRole("link", { name: "View my answers: Batch 1" })).toBeInTheDocument();
  });

  it("says what went wrong, and retries on request", async () => {
    failing = true;
    renderRoute(ROUTES, "/home");
    expect(await screen.findByRole("alert")).toHaveTextContent("The server is resting.");
    failing = false;
    rows = [done];
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("All answered")).toBeInTheDocument();
  });
});

describe("the end of a batch", () => {
  it("says what was done, and thanks the expert", async () => {
    rows = [done, makeBatch({ id: "batch-2", number: 2 })];
    renderRoute(ROUTES, "/rank/batch-1/end");
    expect(await screen.findByRole("heading", { level: 1, name: "Batch 1 is done" })).toBeInTheDocument();
    expect(screen.getByText(/Thank you/)).toBeInTheDocument();
    const figures = screen.getAllByRole("term").map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`);
    expect(figures).toEqual([
      "Answered: 10 of 10",
      "Agreed: 6",
      "Changed: 3",
      "Not sure: 1",
      "Skipped: 0",
      "Median time a question: 41 s",
    ]);
    expect(screen.getByRole("link", { name: "Go on to Batch 2" })).toHaveAttribute("href", "/rank/batch-2");
    expect(screen.getByRole("link", { name: "Review my answers" })).toBeInTheDocument();
  });

  it("counts what was ranked without a prior, and leaves out outcomes that no answer has", async () => {
    rows = [{ ...done, outcomes: { confirmed: 0, changed: 0, ranked: 9, not_sure: 1, skipped: 0 } }];
    renderRoute(ROUTES, "/rank/batch-1/end");
    await screen.findByRole("heading", { level: 1, name: "Batch 1 is done" });
    const figures = screen.getAllByRole("term").map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`);
    expect(figures.slice(0, 4)).toEqual(["Answered: 10 of 10", "Ranked: 9", "Not sure: 1", "Skipped: 0"]);
  });

  it("states what happens next: the other batch, changes, and when the study is closed", async () => {
    const study = { ...makeBatch().study, coordinators: ["Prof Mensah"], closes_on: "2031-02-03" };
    rows = [{ ...done, study }, makeBatch({ id: "batch-2", number: 2, study })];
    renderRoute(ROUTES, "/rank/batch-1/end");
    const next = within(await screen.findByRole("region", { name: "What happens next" }));
    expect(next.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Batch 2 has 10 open questions, about 8 minutes left.",
      "You can change an answer until the study is closed.",
      "Prof Mensah will close the study on 3 February 2031. Then My batches shows how the others answered.",
    ]);
    expect(next.getByRole("link", { name: "My contribution, to be cited" })).toHaveAttribute("href", "/studies/study-1/contribution");
  });

  it("is not called an end while questions are left", async () => {
    rows = [makeBatch({ answered: 9, outcomes: { skipped: 1 } })];
    renderRoute(ROUTES, "/rank/batch-1/end");
    expect(await screen.findByText(/1 question is still without an answer/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Answer what is left" })).toBeInTheDocument();
    expect(screen.getByText("no times yet")).toBeInTheDocument();
  });

  it("of the last batch leads home", async () => {
    rows = [done];
    renderRoute(ROUTES, "/rank/batch-1/end");
    expect(await screen.findByRole("link", { name: "To my batches" })).toHaveAttribute("href", "/home");
  });

  it("of somebody else's batch says that it is not theirs", async () => {
    rows = [done];
    renderRoute(ROUTES, "/rank/batch-9/end");
    expect(await screen.findByText(/not assigned to you/)).toBeInTheDocument();
  });
});

/** Batch 2 as it was read on this device: one question agreed with, one not begun. */
function opened(states: ("confirmed" | "untouched")[] = ["confirmed", "untouched"]): BatchAssignments {
  const { study } = makeBatch();
  return {
    batch: { id: "batch-2", number: 2, name: "", study: { id: study.id, name: study.name, status: "open", is_demo: false, kind: "ranking", graph: null } },
    total: states.length,
    assignments: states.map((state, index) => ({
      id: `assignment-${index}`,
      item: { id: `q${index}`, file_id: "0", number: index + 1, text: "", category: "", resources: [] },
      response: {
        version: 1,
        status: state === "untouched" ? state : "submitted",
        outcome: state === "untouched" ? "" : state,
        payload: rankingPayload([]),
        active_ms: 0,
        updated_at: null,
        submitted: state === "untouched" ? null : { number: 1, outcome: state, submitted_at: "2026-01-01T00:00:00Z" },
      },
    })),
  };
}

async function storeAnswer(assignment: string): Promise<void> {
  await (await engineFor("ada")).enqueue({
    id: "w1",
    resource: assignment,
    batch: "batch-2",
    kind: "ranking",
    interface: "rank-1",
    changes: 1,
    queuedAt: "2026-01-01T00:00:00Z",
    write: { version: 1, action: "submit", outcome: "confirmed", payload: rankingPayload([]), active_ms: 0 },
  });
}

describe("without the server", () => {
  beforeEach(async () => {
    silent = true;
    await (await sharedStore()).storeBatch({ account: "ada", batch: "batch-2", data: opened() });
  });

  it("lists what this device keeps, and the way in", async () => {
    renderRoute(ROUTES, "/home");
    const row = await rowOf("Batch 2");
    expect(row.getByText("1 of 2 answered")).toBeInTheDocument();
    expect(row.getByRole("link", { name: "Question 1: agreed" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Continue: Batch 2" })).toHaveAttribute("href", "/rank/batch-2");
    expect(screen.getByText(/The server did not answer/)).toBeInTheDocument();
  });

  it("keeps the list that was read, and says which of it has to wait", async () => {
    silent = false;
    rows = [makeBatch(), makeBatch({ id: "batch-2", number: 2 })];
    const router = renderRoute(ROUTES, "/home");
    await rowOf("Batch 2");
    silent = true;
    await act(() => router.navigate("/rank/batch-2/end"));
    await screen.findByText(/The server did not answer/);
    await act(() => router.navigate("/home"));
    expect((await rowOf("Batch 1")).getByText("needs a connection")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Continue: Batch 2" })).toBeInTheDocument();
  });

  it("ends a batch with what this device knows of it, and does not call it saved before it is", async () => {
    await (await sharedStore()).storeBatch({ account: "ada", batch: "batch-2", data: opened(["confirmed", "untouched"]) });
    await storeAnswer("assignment-1");
    renderRoute(ROUTES, "/rank/batch-2/end");
    expect(await screen.findByRole("heading", { level: 1, name: "Batch 2 is done" })).toBeInTheDocument();
    expect(screen.getByText(/kept on this device and not sent yet/)).toBeInTheDocument();
    expect(screen.getByText("Thank you. Every question of this batch has your answer.")).toBeInTheDocument();
    expect(screen.getByText("needs a connection")).toBeInTheDocument();
  });

  it("says so where this device keeps nothing, and retries on request", async () => {
    await (await sharedStore()).clearAccount("ada");
    renderRoute(ROUTES, "/home");
    expect(await screen.findByRole("alert")).toHaveTextContent("The server did not answer");
    silent = false;
    rows = [done];
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("All answered")).toBeInTheDocument();
  });

  it("does not say that a batch is somebody else's when nobody could be asked", async () => {
    renderRoute(ROUTES, "/rank/batch-9/end");
    expect(await screen.findByText(/not stored on this device/)).toBeInTheDocument();
  });
});

describe("an answer that the server refused", () => {
  beforeEach(async () => {
    rows = [makeBatch({ id: "batch-2", number: 2, total: 2, answered: 2, outcomes: { confirmed: 2 } })];
    await (await sharedStore()).storeBatch({ account: "ada", batch: "batch-2", data: opened() });
    await storeAnswer("assignment-1");
    await (await sharedStore()).updateQueue("ada", "assignment-1", ({ queue, serverResponse }) => ({
      queue: queue.map((item) => ({ ...item, blocked: { kind: "refused", message: "No." } })),
      serverResponse,
    }));
  });

  it.each(["/home", "/rank/batch-2/end"])("is reported on %s, with the way to its question", async (path) => {
    renderRoute(ROUTES, path);
    expect(await screen.findByText(/rejected 1 answer of yours. It is stored on this device/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Open question 2 of Batch 2" })).toHaveAttribute("href", "/rank/batch-2?q=2");
  });

  it("is not said to be on its way, nor to be saved", async () => {
    renderRoute(ROUTES, "/rank/batch-2/end");
    await screen.findByText(/rejected 1 answer/);
    expect(screen.getByText("Thank you. Every question of this batch has your answer.")).toBeInTheDocument();
    expect(screen.queryByText(/not sent yet/)).not.toBeInTheDocument();
  });
});
