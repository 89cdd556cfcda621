import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { JudgedScores } from "./JudgedScores";

afterEach(() => vi.unstubAllGlobals());

const FILE = { id: "s1", name: "scores.jsonl", created_at: "2026-03-02T10:00:00Z" };
const ROW = {
  kind: "faithfulness", judge: "A judge", texts: 60, unscored: 1, raw: 3.8, corrected: { value: 3.01, low: 2.8, high: 3.22, n: 30, is_approximate: false },
  people: { value: 3, low: 2.7, high: 3.3, n: 30, is_approximate: false }, lambdas: [0.9], strata: 1, rated: 30, effective_ratings: 41.6,
  kappa: { value: 0.5, low: 0.4, high: 0.6, n: 30, is_approximate: false }, other_texts: 0, waiting: 2, excluded: 3, more_to_halve: 9, plan: "9 more rated texts halve this interval.",
};
const SCORES = { id: "s1", name: "scores.jsonl", is_final: true, problem: "", results: [ROW] };

function open(scores: object, files: object[] = [FILE], refusal: object | null = null) {
  const requests: { path: string; method: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", (path: string, { method = "GET", body }: RequestInit) => {
    if (method !== "GET") requests.push({ path, method, body });
    if (method === "POST" && refusal) return Promise.resolve(new globalThis.Response(JSON.stringify(refusal), { status: 422 }));
    if (method === "DELETE") return Promise.resolve(new globalThis.Response(null, { status: 204 }));
    return Promise.resolve(new globalThis.Response(JSON.stringify(path.endsWith("/s1") ? scores : method === "POST" ? FILE : files)));
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container } = render(<QueryClientProvider client={queries}><JudgedScores study="s7" /></QueryClientProvider>);
  return { container, requests };
}

test("a judge's mean stands beside the one that ratings correct", async () => {
  open(SCORES);
  const table = await screen.findByRole("table", { name: "Corrected scores of scores.jsonl" });
  const cells = within(table).getAllByRole("cell").map(({ textContent }) => textContent);
  expect(cells).toEqual(["3.80", "3.01", "2.80 to 3.22", "30 of 60; as exact as 42 without the judge; 2 wait for experts; 3 left out; 1 without a score9 more rated texts halve this interval.", "0.50 (0.40 to 0.60)"]);
  expect(screen.queryByText(/The study is open/)).toBeNull();
  expect(screen.getByText("The study has ended, so these figures are final.")).toBeInTheDocument();
});

test("an open study states what its intervals are worth, and few questions that there is none", async () => {
  open({ ...SCORES, is_final: false, results: [{ ...ROW, corrected: { ...ROW.corrected, low: null, high: null }, kappa: null }] });
  expect(await screen.findByText(/The study is open/)).toBeInTheDocument();
  expect(screen.getByText("needs rated texts of five questions")).toBeInTheDocument();
  expect(screen.getByText("undefined")).toBeInTheDocument();
  cleanup();
  open({ ...SCORES, results: [{ ...ROW, strata: 2, corrected: null }] });
  expect(await screen.findByText("needs rated texts of five questions, and of two in each stratum")).toBeInTheDocument();
});

test("scores that nothing can correct yet state why", async () => {
  open({ ...SCORES, problem: "Nobody has rated a text for 'relevance' that A judge has scored.", results: [] });
  expect(await screen.findByText(/Nobody has rated a text/)).toBeInTheDocument();
});

test("a file is added, each fault of another has its line, and scores can be deleted", async () => {
  const errors = [{ place: "line 2, score", message: "Input should be at most 5.", code: "less_than_equal", expected: "" }];
  const { container, requests } = open(SCORES, [FILE], { status: 422, code: "invalid_file", detail: "The file has 1 fault.", errors });
  await userEvent.click(await screen.findByText("Add a file of scores"));
  await userEvent.click(screen.getByRole("button", { name: "Add scores" }));
  expect(screen.getByText("Choose a file.")).toBeInTheDocument();
  const input = container.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("There is no way to choose a file.");
  await userEvent.upload(input, new File(["{}"], "scores.jsonl"));
  await userEvent.click(screen.getByRole("button", { name: "Add scores" }));
  expect(await screen.findByRole("table", { name: "1 error" })).toHaveTextContent("line 2, score");
  expect(screen.getByRole("alert")).toHaveTextContent(/^The file has 1 fault\.$/);
  await userEvent.click(screen.getByRole("button", { name: "Delete the scores of scores.jsonl" }));
  expect(requests).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "Delete them" }));
  await vi.waitFor(() => expect(requests.map(({ method }) => method)).toEqual(["POST", "DELETE"]));
  expect(requests[1]?.path).toMatch(/judged-scores\/s1$/);
  expect(await screen.findByText("The scores of scores.jsonl are deleted.")).toHaveFocus();
});
