import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { QueuedQuestion } from "@/api/contract";
import { formatDateTime } from "@/lib/format";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { DashboardPage } from "../DashboardPage";
import { makeDashboard } from "../fixtures";

const READ_AT = "2026-03-02T10:00:00Z";

const queued = (number: number, more: Partial<QueuedQuestion>): QueuedQuestion => ({
  question_id: `q${number}`,
  batch: { number: 1, name: "Heart" },
  number,
  text: `Which drug is it in ${number}?`,
  state: "open",
  adjudicator: null,
  is_answered_by_reader: false,
  sight: { state: "blind", answers_read_at: null },
  ...more,
});

function open(rows: QueuedQuestion[]) {
  mockServer(({ path }) => {
    if (path.endsWith("/board")) return jsonResponse(makeDashboard());
    return path.endsWith("/adjudications") ? jsonResponse({ results: rows }) : undefined;
  });
  renderRoute([{ path: "/studies/:id", Component: DashboardPage }], "/studies/study-1?tab=adjudication");
}

const row = async (number: number) => (await screen.findByRole("heading", { name: `Which drug is it in ${number}?` })).closest("li");

test("who read answers to a question reads so before, and is offered no blind adjudication of it", async () => {
  open([
    queued(1, {}),
    queued(2, { sight: { state: "answers_read", answers_read_at: READ_AT } }),
    queued(3, { sight: { state: "partition", answers_read_at: null } }),
    queued(4, { state: "own" }),
  ]);
  expect(await row(1)).toHaveTextContent(/Adjudicate blind$/);
  const read = await row(2);
  expect(read).toHaveTextContent(`You have seen answers to this question, first on ${formatDateTime(READ_AT)}. This judgement is recorded as not blind.`);
  expect(read).toHaveTextContent(/Adjudicate$/);
  expect(await row(3)).toHaveTextContent("The experts’ common order is stored where you can read it, so this judgement is recorded as not blind.");
  expect(await row(4)).toHaveTextContent(/Continue blind$/);
});

test("a question that somebody else adjudicates has no such sentence", async () => {
  const sight = { state: "answers_read", answers_read_at: READ_AT } as const;
  open([queued(1, { state: "taken", adjudicator: { id: "ben", name: "Ben", is_simulated: false }, sight })]);
  expect(await row(1)).not.toHaveTextContent("not blind");
});
