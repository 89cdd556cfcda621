/** A batch of three questions at a server that keeps the contract, for the tests of this page. */
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { Assignment, BatchAssignments, Item } from "@/api/contract";
import { SessionRenewal } from "@/domains/accounts/session-renewal/SessionRenewal";
import { clearAccountData } from "@/lib/offline";
import { createQueryClient } from "@/lib/queryClient";
import { FakeServer, PRIOR } from "@/test/offline/fakeServer";
import { loadRankingParts } from "@/test/rankingParts";
import { problemResponse } from "@/test/visit";
import { AssignmentsPage } from "./AssignmentsPage";
import { panelPart } from "./SidePanel";

const NAMES: Record<string, string> = { a: "Zinc", b: "Balsalazide", c: "NADH" };
let users = 0;
let resetTestState = async (): Promise<void> => {};

// What a question loads lazily: here, before any test measures a time. Transforming these modules for the
// first test of a worker took longer on a loaded machine than a test waits.
await Promise.all([loadRankingParts(), panelPart.load()]);

/** The page closes and its account goes: nothing of it is sent in the next test. */
async function unmountPage(): Promise<void> {
  cleanup();
  await resetTestState();
}

/** Called by each test file: a module that files share is evaluated once. */
export function setUpAssignmentsPage(): void {
  beforeEach(() => {
    vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  });
  afterEach(unmountPage);
}

/** An expert with a batch; every test has its own, so that nothing stored on the device is shared. */
export class AssignmentsPageHarness {
  readonly server = new FakeServer();
  readonly expert: string;
  readonly ids: string[];
  isClosed = false;
  isRestarting = false;
  /** False: questions come without a prior. */
  hasPrior = true;
  graph: BatchAssignments["batch"]["study"]["graph"] = null;
  /** What the evidence routes answer, where a test requests them. */
  evidence: (path: string) => Response | Promise<Response> = () => new Response(null, { status: 404 });
  /** The numbers of the questions whose evidence an arm hides. */
  withoutEvidence = new Set<number>();
  name = "Batch 1";
  /** What the report that the expert is active is answered. */
  presenceStatus = 204;
  /** The study has a text that the expert has not read. */
  isConsentNeeded = false;
  presenceReports = 0;
  /** Of a pool: how many of the questions the expert has. */
  leased: number | null = null;
  /** While more of them are taken. */
  onLease = async (): Promise<void> => {};
  /** While the report is under way. */
  onPresence = async (): Promise<void> => {};

  constructor(questions = 3) {
    users += 1;
    this.expert = `expert-${users}`;
    this.ids = Array.from({ length: questions }, (_, index) => `${this.expert}-${index + 1}`);
    for (const id of this.ids) this.server.assign(id, this.expert);
    this.server.signIn(this.expert);
    vi.stubGlobal("fetch", this.fetch);
    vi.stubGlobal("scrollTo", () => {});
    resetTestState = () => clearAccountData(this.expert);
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const path = String(input);
    if (path.endsWith("/presence")) return this.presence();
    if (path.includes("/evidence") || path.includes("/graphs/")) return this.evidence(path);
    if (this.isRestarting && path.endsWith("/assignments")) {
      return problemResponse(503, "unavailable", "The database is restarting.", [], { "Retry-After": "1" });
    }
    if (path.endsWith("/leases")) return this.lease(JSON.parse(String(init.body)) as { count: number });
    if (path.endsWith("/assignments")) return new Response(JSON.stringify(this.batch()), { status: 200 });
    return this.server.fetch(input, init);
  };

  async presence(): Promise<Response> {
    this.presenceReports += 1;
    await this.onPresence();
    return this.isConsentNeeded ? problemResponse(403, "consent_needed") : new Response(null, { status: this.presenceStatus });
  }

  async lease({ count }: { count: number }): Promise<Response> {
    await this.onLease();
    this.leased = Math.min((this.leased ?? 0) + count, this.ids.length);
    return new Response(JSON.stringify(this.batch()), { status: 200 });
  }

  batch(): BatchAssignments {
    const study = { id: "study", name: "Repurposing", status: this.isClosed ? "closed" : "open", is_demo: false, kind: "ranking", graph: this.graph } as const;
    const leased = this.ids.slice(0, this.leased ?? this.ids.length);
    const assignments = leased.map((id, index) => this.assignment(id, index + 1));
    const available = this.leased === null ? {} : { available: this.ids.length - leased.length };
    return { batch: { id: "b1", number: 1, name: this.name, study }, total: this.ids.length, assignments, ...available };
  }

  assignment(id: string, number: number): Assignment {
    const candidates = PRIOR.flat().map((one, index) => ({
      id: one,
      name: NAMES[one] ?? one,
      link: `https://go.drugbank.com/drugs/DB0000${index}`,
      ...(this.hasPrior && { prior_rank: index + 1 }),
    }));
    const resources = [{ name: "ARSI", link: "https://www.genecards.org/cgi-bin/carddisp.pl?gene=ARSI" }];
    const item = { id: `q-${id}`, file_id: "0", number, text: `What is question ${number}?`, category: "cancer:organ" };
    return { id, item: { ...item, resources, candidates, ...(this.hasPrior && { prior: PRIOR }) } as Item, has_evidence: !this.withoutEvidence.has(number), response: this.server.of(id).response };
  }

  /** The response to a question, as the server has it. */
  saved = (number: number) => this.server.of(this.ids[number - 1] ?? "").response;
  /** Its result in one word. */
  result = (number: number) => this.saved(number).outcome || this.saved(number).status;
  revisions = (number: number) => this.server.of(this.ids[number - 1] ?? "").revisions;
  events = (number: number) => this.server.of(this.ids[number - 1] ?? "").entries.map(({ kind }) => kind);

  async open(path = "/rank/b1") {
    const shown = this.show(path);
    await screen.findByRole("heading", { level: 1, name: /^What is question/ });
    await pageReady();
    return shown;
  }

  show(path: string) {
    const router = createMemoryRouter(
      [
        { path: "/rank/:batchId", element: <AssignmentsPage /> },
        { path: "/rank/:batchId/end", element: <h1>The end</h1> },
        { path: "*", element: <h1>Elsewhere</h1> },
      ],
      { initialEntries: [path] },
    );
    const user = userEvent.setup();
    const page = render(
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
        <SessionRenewal />
      </QueryClientProvider>,
    );
    return { user, router, page };
  }
}

export const card = (place: number): HTMLElement => {
  const element = [...document.querySelectorAll<HTMLElement>("[data-part=card]")][place - 1];
  if (!element) throw new Error(`There is no card ${place}.`);
  return element;
};

export const order = () => [...document.querySelectorAll("[data-part=card]")].map((one) => one.getAttribute("data-candidate"));
/** The question is there; what ends it takes no key or press that was meant for the one before. */
export async function question(number: number) {
  await screen.findByRole("heading", { level: 1, name: `What is question ${number}?` });
  await pageReady();
}

async function pageReady() {
  await waitFor(() => expect(actionBar().getAllByRole("button").at(-1)).not.toHaveAttribute("aria-disabled", "true"));
}

export const announcement = () => document.querySelector("[data-announcer]")?.textContent?.trim() ?? "";
export const actionBar = () => within(screen.getByRole("contentinfo"));

/** The buttons that end a question take no press meant for the one before. */
export async function primaryButton(name: RegExp | string) {
  const button = await actionBar().findByRole("button", { name });
  await waitFor(() => expect(button).not.toHaveAttribute("aria-disabled", "true"));
  return button;
}
