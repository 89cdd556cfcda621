import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import type { Dashboard } from "@/api/contract";
import { makeAgreement, makeBatch, makeDashboard, makeExpert, makeMeasure, makeStatistic, makeUnansweredBatch } from "./fixtures";
import { DashboardPage } from "./DashboardPage";

interface Sent {
  method: string;
  path: string;
  json: unknown;
}

let shown: Dashboard;
let failing: { status: number; code: string } | null;
let refusing: { status: number; code: string } | null;
let sent: Sent[];
let sockets: { onopen?: () => void; onmessage?: (message: { data: string }) => void; close: () => void }[];

function answer(body: unknown, status = 200): globalThis.Response {
  return new globalThis.Response(JSON.stringify(body), { status });
}

const MATCH_COUNTS = { identifier: 3, cross_reference: 0, name: 0, not_in_graph: 1, several_references: 0, several_names: 0, other_identifier: 0 };

function evidence(more: Partial<NonNullable<Dashboard["evidence"]>> = {}): NonNullable<Dashboard["evidence"]> {
  const graph = { slug: "hetionet", name: "Hetionet", number: 1, snapshot: "abc" };
  return { graph, is_complete: true, is_locked: false, can_be_looked_up: false, error: "", candidates: MATCH_COUNTS, resources: MATCH_COUNTS, ...more };
}

const FORMATS = [
  { name: "jsonl", title: "JSON Lines", description: "A record a line.", extension: "jsonl", can_export: true, can_import: true },
  { name: "csv", title: "CSV", description: "A table.", extension: "csv", can_export: true, can_import: true },
  { name: "argilla", title: "Argilla", description: "Records.", extension: "json", can_export: false, can_import: true },
];

beforeEach(() => {
  shown = makeDashboard();
  failing = null;
  refusing = null;
  sent = [];
  sockets = [];
  vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
    sent.push({ method: method ?? "GET", path, json: typeof body === "string" ? JSON.parse(body) : null });
    if (path.endsWith("/invitations")) return Promise.resolve(answer({ next: null, previous: null, results: [] }));
    if (path.endsWith("/study-formats")) return Promise.resolve(answer({ results: FORMATS }));
    if (path.endsWith("/batches")) return Promise.resolve(answer({ batches: [] }));
    if (path.endsWith("/partitions")) return Promise.resolve(refusing ? answer({ ...refusing, detail: "Close it first." }, refusing.status) : answer(PARTITIONS));
    if (failing) return Promise.resolve(answer({ ...failing, detail: "The server is resting." }, failing.status));
    return Promise.resolve(answer(shown));
  });
  vi.stubGlobal(
    "WebSocket",
    class {
      close = () => undefined;
      constructor() {
        sockets.push(this);
      }
    },
  );
});

function open(search = "") {
  const routes = [{ path: "/studies/:id", Component: DashboardPage }];
  const router = createMemoryRouter(routes, { initialEntries: [`/studies/study-1${search}`] });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={queries}><RouterProvider router={router} /></QueryClientProvider>);
  return router;
}

function notify(what: string, version: number) {
  act(() => sockets[0]?.onmessage?.({ data: JSON.stringify({ type: "changed", what, version }) }));
}

function boardsRead(): number {
  return sent.filter(({ path }) => path === "/api/v1/studies/study-1/board").length;
}

async function rowOf(table: string, name: RegExp) {
  const element = await screen.findByRole("table", { name: table });
  return within(element).getByRole("row", { name });
}

const BATCHES = "Progress and agreement of each batch";

test("a coordinator sees how far, how agreed, how long and how changed each batch is", async () => {
  open();
  const row = await rowOf(BATCHES, /^Batch 1/);
  expect(row).toHaveTextContent("12 of 20");
  expect(row).toHaveTextContent("0.610.50 to 0.71");
  expect(row).toHaveTextContent("41 s");
  expect(row).toHaveTextContent("40%");
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Drugs and genes");
});

test("the measure is switched in the column's head and is kept in the address", async () => {
  const router = open();
  await userEvent.click(await screen.findByRole("button", { name: /Agreement, Kendall/ }));
  await userEvent.click(screen.getByRole("menuitemradio", { name: /^top-1/ }));
  expect(router.state.location.search).toBe("?measure=top-1");
  expect(await rowOf(BATCHES, /^Batch 1/)).toHaveTextContent("50%25% to 75%");
});

test("a link with a measure opens what its sender saw", async () => {
  open("?measure=tau-b");
  expect(await rowOf(BATCHES, /^Batch 1/)).toHaveTextContent("−0.25");
});

test("news moves the board without a reload; news that is already shown does not", async () => {
  open();
  await rowOf(BATCHES, /^Batch 1/);
  notify("board", 7);
  expect(boardsRead()).toBe(1);
  shown = makeDashboard({ version: 8, batches: [makeBatch({ answered: 13 })] });
  notify("board", 8);
  expect(await screen.findByText("13 of 20")).toBeInTheDocument();
});

test("news of an invitation reads the invitations again", async () => {
  open();
  await screen.findByText(/No invitations yet/);
  const before = sent.filter(({ path }) => path.endsWith("/invitations")).length;
  notify("invitations", 7);
  await waitFor(() => expect(sent.filter(({ path }) => path.endsWith("/invitations"))).toHaveLength(before + 1));
});

test("a server that stops answering leaves the board in sight and says since when", async () => {
  open();
  await rowOf(BATCHES, /^Batch 1/);
  failing = { status: 503, code: "http_503" };
  notify("board", 9);
  expect(await screen.findByText(/not reached since \d\d:\d\d/)).toBeInTheDocument();
  expect(screen.getByText("12 of 20")).toBeInTheDocument();
});

test("a board that could not be read says so and is asked again on request", async () => {
  failing = { status: 503, code: "http_503" };
  open();
  expect(await screen.findByRole("alert")).toHaveTextContent("The server is resting.");
  failing = null;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await rowOf(BATCHES, /^Batch 1/)).toBeInTheDocument();
});

test.each([404, 403])("somebody who does not coordinate the study is informed (%i) and shown the way back", async (status) => {
  failing = { status, code: status === 404 ? "not_found" : "not_allowed" };
  open();
  expect(await screen.findByRole("heading", { level: 1, name: "Dashboard not found" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "To my studies" })).toHaveAttribute("href", "/studies");
});

test("an empty study says what will be here and how it comes about", async () => {
  shown = makeDashboard({ batches: [makeUnansweredBatch({ expected: 0, experts: 0 })], experts: [] });
  open();
  const row = await rowOf(BATCHES, /^Batch 1/);
  expect(row).toHaveTextContent("nobody assignedtoo few to tellnot yetnot yet");
  expect(screen.getByText(/needs questions ranked by two experts/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Invite an expert" }));
  expect(await screen.findByRole("dialog", { name: "Invite" })).toBeInTheDocument();
});

test("who is active is named, and a simulated expert as one", async () => {
  const active = [{ id: "expert-1", name: "Dr Ada", is_simulated: true }];
  const { totals } = makeDashboard();
  shown = makeDashboard({ totals: { ...totals, active }, batches: [makeBatch({ active })] });
  open();
  expect(await screen.findByText("Active: Dr Ada (simulated)")).toBeInTheDocument();
  expect(await rowOf(BATCHES, /^Batch 1/)).toHaveTextContent("Dr Ada (simulated)");
});

test("an expert is assigned batches; one with answers stays assigned", async () => {
  shown = makeDashboard({ batches: [makeBatch(), makeUnansweredBatch({ id: "batch-2", number: 2 })], experts: [makeExpert()] });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Batches of Dr Ada" }));
  expect(screen.getByRole("checkbox", { name: /Batch 1/ })).toBeDisabled();
  await userEvent.click(screen.getByRole("checkbox", { name: /Batch 2/ }));
  await userEvent.click(screen.getByRole("button", { name: "Save the batches" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent.find(({ method }) => method === "PUT")).toEqual({
    method: "PUT",
    path: "/api/v1/studies/study-1/experts/expert-1/batches",
    json: { batches: ["batch-1", "batch-2"] },
  });
});

test("closing a study is asked before it is done", async () => {
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Close the study" }));
  expect(sent.some(({ method }) => method === "PATCH")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Close it" }));
  await waitFor(() => expect(sent.find(({ method }) => method === "PATCH")?.json).toEqual({ status: "closed" }));
});

const PARTITIONS = {
  study: "Drugs and genes", question_set: "set-1", questions: 3, llm_unchanged: 0, calibrations: 0,
  expert: { partitions: 2, new: 2, tied: 0 }, llm: { partitions: 3, new: 3, tied: 0 },
  few_raters: [{ batch: 2, number: 3 }], few_candidates: [], excluded: [], adjudicated: 0, without_membership: 0, other_top: [], is_complete: true, not_sure_left_out: 1, skipped_left_out: 0,
};

function closed(): Dashboard {
  return makeDashboard({ study: { ...makeDashboard().study, status: "closed" } });
}

test("a closed study's orders become partitions, and the result is shown with the way to the workbench", async () => {
  shown = closed();
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Create partitions" }));
  expect(sent.some(({ method }) => method === "POST")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Create them" }));
  const dialog = await screen.findByRole("dialog", { name: "Partitions created" });
  expect(dialog).toHaveTextContent("2 of 3 questions have a partition");
  expect(dialog).toHaveTextContent("Left out because fewer than two experts ranked them: 1 question (batch 2: 3).");
  expect(within(dialog).getByRole("link", { name: "To the workbench" })).toHaveAttribute("href", "/workbench?set=set-1");
  expect(sent.find(({ method }) => method === "POST")?.path).toBe("/api/v1/studies/study-1/partitions");
});

test("a refusal to make partitions is said where it was asked", async () => {
  shown = closed();
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Create partitions" }));
  refusing = { status: 409, code: "study_open" };
  await userEvent.click(screen.getByRole("button", { name: "Create them" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Close it first.");
});

test("of an open study the dialog names who sees the partitions", async () => {
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Create partitions" }));
  expect(screen.getByRole("dialog")).toHaveTextContent("only its coordinators see them");
});

test("exports come with pseudonyms, or with names where that is asked for", async () => {
  open();
  await userEvent.click(await screen.findByRole("button", { name: /Export/ }));
  const links = screen.getAllByRole("menuitem").map((item) => item.getAttribute("href"));
  expect(links).toEqual([
    "/api/v1/studies/study-1/export?format=jsonl",
    "/api/v1/studies/study-1/export?format=csv",
    "/api/v1/studies/study-1/export?format=jsonl&names=1",
    "/api/v1/studies/study-1/export?format=csv&names=1",
  ]);
  expect(screen.getByRole("menuitem", { name: "CSV" })).toHaveAccessibleDescription("A table.");
});

test("an agreement that is missing has its reason in the table and under it", async () => {
  const tied = makeAgreement({ measures: [makeMeasure("kendall_w", makeStatistic(null, { reason: "all_tied" }))] });
  shown = makeDashboard({ batches: [makeBatch({ agreement: tied })] });
  open();
  expect(await rowOf(BATCHES, /^Batch 1/)).toHaveTextContent("all tied");
  expect(screen.getByText(/Every ranking so far ties all candidates/)).toBeInTheDocument();
});

test("claims, which carry their evidence, need no graph and are offered none", async () => {
  const { study } = makeDashboard();
  shown = makeDashboard({ study: { ...study, kind: "claims" } });
  open();
  const section = await screen.findByRole("region", { name: "Evidence" });
  expect(section).toHaveTextContent("Each claim carries its own evidence");
  expect(within(section).queryByRole("button")).toBeNull();
});

test("another graph is offered as long as no expert has looked at the evidence", async () => {
  shown = makeDashboard({ evidence: evidence() });
  open();
  expect(await screen.findByRole("button", { name: "Choose another graph" })).toBeInTheDocument();
  expect(screen.queryByText(/it cannot be changed/)).not.toBeInTheDocument();
});

test("a graph in which experts can look hidden evidence up is warned of", async () => {
  shown = makeDashboard({ evidence: evidence({ can_be_looked_up: true }) });
  open();
  const section = await screen.findByRole("region", { name: "Evidence" });
  expect(section).toHaveTextContent("Experts can look hidden evidence up on this graph’s own pages.");
});

test("once experts have looked at the evidence, the board says that the graph stays, and offers no other", async () => {
  shown = makeDashboard({ evidence: evidence({ is_locked: true }) });
  open();
  const section = await screen.findByRole("region", { name: "Evidence" });
  expect(section).toHaveTextContent("Experts have used this graph, so it cannot be changed. Create another study to use another graph.");
  expect(within(section).queryByRole("button")).not.toBeInTheDocument();
});
