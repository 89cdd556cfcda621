import "fake-indexeddb/auto";
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BatchAssignments, ExpertBatch } from "@/api/contract";
import { forgetAccount, kept, syncFor } from "@/lib/offline";
import { leavePage } from "@/lib/session";
import { aBatch, problem, reply, serve, somebody, visit } from "@/test/visit";
import { EndPage, HomePage } from "./index";

let rows: ExpertBatch[];
let failing: boolean;
let silent: boolean;

const ROUTES = [
  { path: "/home", Component: HomePage },
  { path: "/rank/:batchId/end", Component: EndPage },
];

const done = aBatch({ answered: 10, confirmed: 6, changed: 3, not_sure: 1, median_active_ms: 41_000 });

beforeEach(() => {
  rows = [];
  failing = false;
  silent = false;
  serve(({ path }) => {
    if (silent && path !== "/api/v1/me") throw new TypeError("Failed to fetch");
    if (path === "/api/v1/me") return reply({ user: somebody() });
    if (path !== "/api/v1/batches") return undefined;
    return failing ? problem(409, "resting", "The server is resting.") : reply({ results: rows });
  });
});

afterEach(async () => {
  await forgetAccount("ada");
  await (await kept()).change("ada", "assignment-1", () => ({ queue: [], saved: null }));
  leavePage();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const rowOf = async (name: string) => {
  const heading = await screen.findByRole("heading", { level: 3, name });
  return within(heading.closest("li") as HTMLElement);
};

describe("her home", () => {
  it("says what will be here while nothing is assigned", async () => {
    visit(ROUTES, "/home");
    expect(await screen.findByText(/will be here as soon as a coordinator assigns/)).toBeInTheDocument();
  });

  it("shows how far each batch is, what is left and the way in", async () => {
    rows = [
      aBatch({ answered: 4, drafts: 1, skipped: 2, expected_left_ms: 48 * 60_000 }),
      aBatch({ id: "batch-2", number: 2, name: "Cancer" }),
      { ...done, id: "batch-3", number: 3 },
    ];
    visit(ROUTES, "/home");
    const first = await rowOf("Batch 1");
    expect(first.getByText("4 of 10")).toBeInTheDocument();
    expect(
      first.getByText("about 48 min left · 1 draft · 2 skipped, asked again at the end"),
    ).toBeInTheDocument();
    expect(first.getByRole("link", { name: "Continue: Batch 1" })).toHaveAttribute("href", "/rank/batch-1");
    const second = await rowOf("Cancer");
    expect(second.getByText("time left not known yet")).toBeInTheDocument();
    expect(second.getByRole("link", { name: "Begin: Cancer" })).toHaveAttribute("href", "/rank/batch-2");
    const third = await rowOf("Batch 3");
    expect(third.getByRole("link", { name: "Look back: Batch 3" })).toHaveAttribute("href", "/rank/batch-3/end");
  });

  it("leads to the introduction, once for a study, before any question", async () => {
    const study = { ...aBatch().study, consent_needed: true };
    rows = [aBatch({ study }), aBatch({ id: "batch-2", number: 2, study })];
    visit(ROUTES, "/home");
    const links = await screen.findAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/studies/study-1/introduction"]);
  });

  it("leaves a closed study readable", async () => {
    rows = [aBatch({ answered: 4, study: { ...aBatch().study, status: "closed" } })];
    visit(ROUTES, "/home");
    const row = await rowOf("Batch 1");
    expect(row.getByText(/answers can be read, not changed/)).toBeInTheDocument();
    expect(row.getByRole("link", { name: "See what you did: Batch 1" })).toBeInTheDocument();
  });

  it("says what went wrong, and asks again when she does", async () => {
    failing = true;
    visit(ROUTES, "/home");
    expect(await screen.findByRole("alert")).toHaveTextContent("The server is resting.");
    failing = false;
    rows = [done];
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("All answered")).toBeInTheDocument();
  });
});

describe("the end of a batch", () => {
  it("says what she did, and thanks her", async () => {
    rows = [done, aBatch({ id: "batch-2", number: 2 })];
    visit(ROUTES, "/rank/batch-1/end");
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

  it("is not called an end while questions are left", async () => {
    rows = [aBatch({ answered: 9, skipped: 1 })];
    visit(ROUTES, "/rank/batch-1/end");
    expect(await screen.findByText(/1 question is still without an answer/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Answer what is left" })).toBeInTheDocument();
    expect(screen.getByText("no times yet")).toBeInTheDocument();
  });

  it("of the last batch leads home", async () => {
    rows = [done];
    visit(ROUTES, "/rank/batch-1/end");
    expect(await screen.findByRole("link", { name: "To my batches" })).toHaveAttribute("href", "/home");
  });

  it("of somebody else's batch says that it is not hers", async () => {
    rows = [done];
    visit(ROUTES, "/rank/batch-9/end");
    expect(await screen.findByText(/not among yours/)).toBeInTheDocument();
  });
});

/** Batch 2 as it was read on this device: one question agreed with, one not begun. */
function opened(states: ("confirmed" | "untouched")[] = ["confirmed", "untouched"]): BatchAssignments {
  const { study } = aBatch();
  return {
    batch: { id: "batch-2", number: 2, name: "", study: { id: study.id, name: study.name, status: "open", is_demo: false } },
    total: states.length,
    assignments: states.map((state, index) => ({
      id: `assignment-${index}`,
      question: { id: `q${index}`, file_id: "0", number: index + 1, text: "", category: "", resources: [], candidates: [], prior: [] },
      response: {
        version: 1,
        state,
        ranking: [],
        confidence: null,
        reasons: [],
        comment: "",
        unsure_reason: "",
        active_ms: 0,
        updated_at: null,
        submitted: state === "untouched" ? null : { number: 1, state, submitted_at: "2026-01-01T00:00:00Z" },
      },
    })),
  };
}

async function keepAnswer(assignment: string): Promise<void> {
  const at = "2026-01-01T00:00:00Z";
  const write = { version: 1, action: "agree", ranking: [], confidence: null, reasons: [], comment: "", unsure_reason: "" } as const;
  const events = [{ id: "e1", kind: "agreed", old: null, new: null, at } as const];
  await (await syncFor("ada")).add({
    id: "w1",
    assignment,
    batch: "batch-2",
    queuedAt: at,
    write: { ...write, ranking: [], reasons: [], active_ms: 0, events: [...events], interface: "rank-1" },
  });
}

describe("without the server", () => {
  beforeEach(async () => {
    silent = true;
    await (await kept()).keepBatch({ account: "ada", batch: "batch-2", data: opened() });
  });

  it("lists what this device keeps, and the way in", async () => {
    visit(ROUTES, "/home");
    const row = await rowOf("Batch 2");
    expect(row.getByText("1 of 2")).toBeInTheDocument();
    expect(row.getByRole("link", { name: "Continue: Batch 2" })).toHaveAttribute("href", "/rank/batch-2");
    expect(screen.getByText(/The server did not answer/)).toBeInTheDocument();
  });

  it("keeps the list that was read, and says which of it has to wait", async () => {
    silent = false;
    rows = [aBatch(), aBatch({ id: "batch-2", number: 2 })];
    const router = visit(ROUTES, "/home");
    await rowOf("Batch 2");
    silent = true;
    await act(() => router.navigate("/rank/batch-2/end"));
    await screen.findByText(/The server did not answer/);
    await act(() => router.navigate("/home"));
    expect((await rowOf("Batch 1")).getByText("opens with a connection")).toBeInTheDocument();
    expect((await rowOf("Batch 2")).getByRole("link", { name: "Continue: Batch 2" })).toBeInTheDocument();
  });

  it("ends a batch with what this device knows of it, and does not call it saved before it is", async () => {
    await (await kept()).keepBatch({ account: "ada", batch: "batch-2", data: opened(["confirmed", "untouched"]) });
    await keepAnswer("assignment-1");
    visit(ROUTES, "/rank/batch-2/end");
    expect(await screen.findByRole("heading", { level: 1, name: "Batch 2 is done" })).toBeInTheDocument();
    expect(screen.getByText(/kept on this device and not sent yet/)).toBeInTheDocument();
    expect(screen.getByText("Thank you. Every question of this batch has your answer.")).toBeInTheDocument();
    expect(screen.getByText("known with a connection")).toBeInTheDocument();
  });

  it("says so where this device keeps nothing, and asks again when she does", async () => {
    await (await kept()).forget("ada");
    visit(ROUTES, "/home");
    expect(await screen.findByRole("alert")).toHaveTextContent("The server did not answer");
    silent = false;
    rows = [done];
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("All answered")).toBeInTheDocument();
  });

  it("does not say that a batch is somebody else's when nobody could be asked", async () => {
    visit(ROUTES, "/rank/batch-9/end");
    expect(await screen.findByText(/not kept on this device/)).toBeInTheDocument();
  });
});

describe("an answer that the server refused", () => {
  beforeEach(async () => {
    rows = [aBatch({ id: "batch-2", number: 2, total: 2, answered: 2, confirmed: 2 })];
    await (await kept()).keepBatch({ account: "ada", batch: "batch-2", data: opened() });
    await keepAnswer("assignment-1");
    await (await kept()).change("ada", "assignment-1", ({ queue, saved }) => ({
      queue: queue.map((item) => ({ ...item, hold: { kind: "refused", sentence: "No." } })),
      saved,
    }));
  });

  it.each(["/home", "/rank/batch-2/end"])("is told on %s, with the way to its question", async (path) => {
    visit(ROUTES, path);
    expect(await screen.findByText(/did not take 1 answer of yours. It is kept on this device/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Open question 2 of Batch 2" })).toHaveAttribute("href", "/rank/batch-2?q=2");
  });

  it("is not said to be on its way, nor to be saved", async () => {
    visit(ROUTES, "/rank/batch-2/end");
    await screen.findByText(/did not take 1 answer/);
    expect(screen.getByText("Thank you. Every question of this batch has your answer.")).toBeInTheDocument();
    expect(screen.queryByText(/not sent yet/)).not.toBeInTheDocument();
  });
});
