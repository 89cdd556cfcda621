import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { ExpertBatch, Guidelines } from "@/api/contract";
import { CONSENT_VERSION } from "@/domains/studies/consent";
import { makeBatch, problemResponse, jsonResponse, mockServer, renderRoute, type RecordedRequest } from "@/test/visit";
import { IntroductionPage } from "./IntroductionPage";

let rows: ExpertBatch[];
let consenting: globalThis.Response;
let requests: RecordedRequest[];
let guidelines: Guidelines;
const version = (number: number, text: string) => ({
  number, text, digest: "", must_be_read: true, author: "Ada", created_at: "2026-05-03T10:00:00Z",
});

const needed = { ...makeBatch().study, to_read: "introduction" as const };
const AGREES = /I have read what is recorded/;
const ROUTES = [
  { path: "/studies/:studyId/introduction", Component: IntroductionPage },
  { path: "/rank/:batchId", element: <p>The first question</p> },
];

const open = (study = "study-1") => renderRoute(ROUTES, `/studies/${study}/introduction`);

beforeEach(() => {
  rows = [makeBatch({ study: needed })];
  guidelines = { versions: [], read: 0, consent: "" };
  consenting = new globalThis.Response(null, { status: 204 });
  requests = mockServer(({ path }) => {
    if (path === "/api/v1/studies/study-1/guidelines") return jsonResponse(guidelines);
    if (path === "/api/v1/batches") return jsonResponse({ results: rows });
    return path.endsWith("/consent") ? consenting : undefined;
  });
});

describe("the introduction", () => {
  it("says what serendipitous means, how to rank, what is recorded and who sees it", async () => {
    open();
    await screen.findByRole("heading", { name: "How to rank" });
    expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      "What serendipitous means here",
      "How to rank",
      "What is recorded",
    ]);
    expect(screen.getByText(/coordinators of this study see this/)).toBeInTheDocument();
    expect(await screen.findByRole("checkbox", { name: AGREES })).not.toBeChecked();
  });

  it("speaks of candidates only where the study shows evidence for them", async () => {
    rows = [makeBatch({ study: { ...needed, kind: "claims" } })];
    open();
    await screen.findByRole("heading", { name: "How to verify" });
    expect(screen.getByRole("heading", { name: "What supports a claim" })).toBeVisible();
    expect(screen.getByText(/If the study requires a mark/)).toBeVisible();
    expect(screen.queryByText(/candidate/)).toBeNull();
  });

  it("begins the first batch once this wording was agreed to, and not before", async () => {
    open();
    const begin = await screen.findByRole("button", { name: "Begin Batch 1" });
    expect(begin).toBeDisabled();
    await userEvent.click(screen.getByRole("checkbox", { name: AGREES }));
    await userEvent.click(begin);
    expect(await screen.findByText("The first question")).toBeInTheDocument();
    const request = requests.find(({ path }) => path === "/api/v1/studies/study-1/consent");
    expect(request?.json).toEqual({ version: CONSENT_VERSION, guidelines: 0 });
  });

  it("accepts a refusal for now: nothing is recorded, and the way back stays open", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Not now" }));
    expect(screen.getByRole("status")).toHaveTextContent(/Nothing was recorded, and nobody was notified/);
    expect(screen.getByRole("link", { name: "To my batches" })).toHaveAttribute("href", "/home");
    expect(requests.every(({ method }) => method === "GET")).toBe(true);
    await userEvent.click(screen.getByRole("button", { name: /Back to the consent form/ }));
    expect(screen.getByRole("checkbox", { name: AGREES })).not.toBeChecked();
  });

  it("asks to read a renewed text instead of taking an old yes", async () => {
    consenting = problemResponse(422, "consent_outdated", "No.");
    open();
    await userEvent.click(await screen.findByRole("checkbox", { name: AGREES }));
    await userEvent.click(screen.getByRole("button", { name: "Begin Batch 1" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(/has changed.*read the new version/);
    expect(screen.getByRole("checkbox", { name: AGREES })).toBeChecked();
  });

  it("asks nothing again of somebody who has agreed", async () => {
    rows = [makeBatch()];
    open();
    expect(await screen.findByRole("link", { name: "Go on to Batch 1" })).toHaveAttribute("href", "/rank/batch-1");
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
  });

  it("shows what changed in the guidelines to an expert who comes back", async () => {
    guidelines = { versions: [version(2, "Rank.\nTies are fine."), version(1, "Rank.")], read: 1, consent: CONSENT_VERSION };
    open();
    expect(await screen.findByRole("heading", { name: "The guidelines have changed" })).toBeInTheDocument();
    expect(screen.getByText("Ties are fine.", { selector: "ins" })).toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: "What is recorded" })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "I have read this, go on" }));
    expect(await screen.findByText("The first question")).toBeInTheDocument();
    const request = requests.find(({ path }) => path === "/api/v1/studies/study-1/consent");
    expect(request?.json).toEqual({ version: CONSENT_VERSION, guidelines: 2 });
  });

  it("shows the newest guidelines when others were published meanwhile", async () => {
    guidelines = { versions: [version(2, "Rank."), version(1, "Order.")], read: 1, consent: CONSENT_VERSION };
    open();
    const goOn = await screen.findByRole("button", { name: "I have read this, go on" });
    expect(screen.getByText(/Nothing you answered is lost/)).toBeInTheDocument();
    guidelines = { ...guidelines, versions: [version(3, "Rank all."), ...guidelines.versions] };
    consenting = problemResponse(422, "consent_outdated", "No.", [{ place: "guidelines", message: "Older.", code: "consent_outdated", allowed: "3" }]);
    await userEvent.click(goOn);
    expect(await screen.findByRole("alert")).toHaveTextContent("Read the new version above");
    expect(await screen.findByText("Rank all.", { selector: "ins" })).toBeInTheDocument();
    consenting = new globalThis.Response(null, { status: 204 });
    await userEvent.click(goOn);
    expect(await screen.findByText("The first question")).toBeInTheDocument();
    expect(requests.findLast(({ path }) => path.endsWith("/consent"))?.json).toEqual({ version: CONSENT_VERSION, guidelines: 3 });
  });

  it("asks for no consent once the study has ended", async () => {
    rows = [makeBatch({ study: { ...needed, status: "frozen", to_read: null } })];
    guidelines = { versions: [version(1, "Rank.")], read: 0, consent: CONSENT_VERSION };
    open();
    expect(await screen.findByRole("link", { name: "To my batches" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /I have read this/ })).not.toBeInTheDocument();
  });

  it("of a study without an own batch says what is missing", async () => {
    open("study-2");
    await waitFor(() => expect(screen.getByText(/You have no batches in this study yet/)).toBeInTheDocument());
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
  });
});
