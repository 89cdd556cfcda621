/** A batch of three questions at a server that keeps the contract, for the tests of this page. */
import "fake-indexeddb/auto";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { Assignment, BatchAssignments } from "@/api/contract";
import { forgetAccount } from "@/lib/offline";
import { FakeServer, PRIOR } from "@/test/offline/fakeServer";
import { RankingPage } from "./RankingPage";

// It only ends a wait that has gone wrong: a loaded machine draws slowly.
configure({ asyncUtilTimeout: 4000 });

const NAMES: Record<string, string> = { a: "Zinc", b: "Balsalazide", c: "NADH" };
let people = 0;
let forget = async (): Promise<void> => {};

/** The page closes and its account goes: nothing of it is sent in the next test. */
async function leaveDesk(): Promise<void> {
  cleanup();
  await forget();
}

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
});

afterEach(async () => {
  await leaveDesk();
  vi.unstubAllGlobals();
});

/** One person and her batch; every test has its own, so that nothing kept on the device is shared. */
export class Desk {
  readonly server = new FakeServer();
  readonly her: string;
  readonly ids: string[];
  isClosed = false;
  name = "Batch 1";

  constructor(questions = 3) {
    people += 1;
    this.her = `her-${people}`;
    this.ids = Array.from({ length: questions }, (_, index) => `${this.her}-${index + 1}`);
    for (const id of this.ids) this.server.assign(id, this.her);
    this.server.signIn(this.her);
    vi.stubGlobal("fetch", this.fetch);
    vi.stubGlobal("scrollTo", () => {});
    forget = () => forgetAccount(this.her);
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const path = String(input);
    if (path.endsWith("/active")) return new Response(null, { status: 204 });
    if (path.endsWith("/assignments")) return new Response(JSON.stringify(this.batch()), { status: 200 });
    return this.server.fetch(input, init);
  };

  batch(): BatchAssignments {
    const study = { id: "study", name: "Repurposing", status: this.isClosed ? "closed" : "open", is_demo: false } as const;
    const assignments = this.ids.map((id, index) => this.assignment(id, index + 1));
    return { batch: { id: "b1", number: 1, name: this.name, study }, total: this.ids.length, assignments };
  }

  assignment(id: string, number: number): Assignment {
    const candidates = PRIOR.flat().map((one, index) => ({
      id: one,
      name: NAMES[one] ?? one,
      link: `https://go.drugbank.com/drugs/DB0000${index}`,
      prior_rank: index + 1,
    }));
    const resources = [{ name: "ARSI", link: "https://www.genecards.org/cgi-bin/carddisp.pl?gene=ARSI" }];
    const asked = { id: `q-${id}`, file_id: "0", number, text: `What is question ${number}?`, category: "cancer:organ" };
    return { id, question: { ...asked, resources, candidates, prior: PRIOR }, response: this.server.of(id).told };
  }

  /** What was answered to a question, as the server has it. */
  told = (number: number) => this.server.of(this.ids[number - 1] ?? "").told;
  revisions = (number: number) => this.server.of(this.ids[number - 1] ?? "").revisions;
  events = (number: number) => this.server.of(this.ids[number - 1] ?? "").events.map(({ kind }) => kind);

  async open(path = "/rank/b1") {
    const router = createMemoryRouter(
      [
        { path: "/rank/:batchId", element: <RankingPage /> },
        { path: "/rank/:batchId/end", element: <h1>The end</h1> },
        { path: "*", element: <h1>Elsewhere</h1> },
      ],
      { initialEntries: [path] },
    );
    const user = userEvent.setup();
    const page = render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    await screen.findByRole("heading", { level: 1, name: /^What is question/ });
    await arrived();
    return { user, router, page };
  }
}

export const card = (place: number): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>("[data-part=card]")][place - 1];
  if (!found) throw new Error(`There is no card ${place}.`);
  return found;
};

export const order = () => [...document.querySelectorAll("[data-part=card]")].map((one) => one.getAttribute("data-candidate"));
/** The question is there; what ends it takes no key or press that was meant for the one before. */
export async function question(number: number) {
  await screen.findByRole("heading", { level: 1, name: `What is question ${number}?` });
  await arrived();
}

async function arrived() {
  await waitFor(() => expect(bar().getAllByRole("button").at(-1)).not.toHaveAttribute("aria-disabled", "true"));
}

export const said = () => document.querySelector("[data-announcer]")?.textContent?.trim() ?? "";
export const bar = () => within(screen.getByRole("contentinfo"));

/** The buttons that end a question take no press meant for the one before. */
export async function primary(name: RegExp | string) {
  const button = await bar().findByRole("button", { name });
  await waitFor(() => expect(button).not.toHaveAttribute("aria-disabled", "true"));
  return button;
}
