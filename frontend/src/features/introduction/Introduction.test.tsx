import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ExpertBatch } from "@/api/contract";
import { CONSENT_VERSION } from "@/lib/consent";
import { aBatch, problem, reply, serve, visit, type Asked } from "@/test/visit";
import { IntroductionPage } from "./index";

let rows: ExpertBatch[];
let consenting: globalThis.Response;
let asked: Asked[];

const needed = { ...aBatch().study, consent_needed: true };
const AGREES = /I have read what is recorded/;
const ROUTES = [
  { path: "/studies/:studyId/introduction", Component: IntroductionPage },
  { path: "/rank/:batchId", element: <p>The first question</p> },
];

const open = (study = "study-1") => visit(ROUTES, `/studies/${study}/introduction`);

beforeEach(() => {
  rows = [aBatch({ study: needed })];
  consenting = new globalThis.Response(null, { status: 204 });
  asked = serve(({ path }) => {
    if (path === "/api/v1/batches") return reply({ results: rows });
    return path.endsWith("/consent") ? consenting : undefined;
  });
});

afterEach(() => vi.unstubAllGlobals());

describe("the introduction", () => {
  it("says what serendipitous means, how to rank, what is recorded and who sees it", async () => {
    open();
    expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      "What serendipitous means here",
      "How to rank",
      "What is recorded",
    ]);
    expect(screen.getByText(/coordinators of this study see this/)).toBeInTheDocument();
    expect(await screen.findByRole("checkbox", { name: AGREES })).not.toBeChecked();
  });

  it("begins the first batch once she has agreed to this wording, and not before", async () => {
    open();
    const begin = await screen.findByRole("button", { name: "Begin Batch 1" });
    expect(begin).toBeDisabled();
    await userEvent.click(screen.getByRole("checkbox", { name: AGREES }));
    await userEvent.click(begin);
    expect(await screen.findByText("The first question")).toBeInTheDocument();
    const told = asked.find(({ path }) => path === "/api/v1/studies/study-1/consent");
    expect(told?.json).toEqual({ version: CONSENT_VERSION });
  });

  it("lets her say not now: nothing is recorded, and the way back stays open", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Not now" }));
    expect(screen.getByRole("status")).toHaveTextContent(/Nothing was recorded, and nobody is told/);
    expect(screen.getByRole("link", { name: "To my batches" })).toHaveAttribute("href", "/home");
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
    await userEvent.click(screen.getByRole("button", { name: /back to my answer/ }));
    expect(screen.getByRole("checkbox", { name: AGREES })).not.toBeChecked();
  });

  it("asks to read a renewed text instead of taking an old yes", async () => {
    consenting = problem(422, "consent_outdated", "No.");
    open();
    await userEvent.click(await screen.findByRole("checkbox", { name: AGREES }));
    await userEvent.click(screen.getByRole("button", { name: "Begin Batch 1" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(/has been renewed.*read it once more/);
    expect(screen.getByRole("checkbox", { name: AGREES })).toBeChecked();
  });

  it("asks nothing again of somebody who has agreed", async () => {
    rows = [aBatch()];
    open();
    expect(await screen.findByRole("link", { name: "Go on to Batch 1" })).toHaveAttribute("href", "/rank/batch-1");
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
  });

  it("of a study without a batch of hers says what is missing", async () => {
    open("study-2");
    await waitFor(() => expect(screen.getByText(/No batch of this study is yours yet/)).toBeInTheDocument());
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
  });
});
