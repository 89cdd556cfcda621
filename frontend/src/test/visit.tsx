/** A page as a visitor opens it, before a server whose answers a test decides. */
import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, type RouteObject } from "react-router";
import { vi } from "vitest";
import type { ExpertBatch, CurrentUser } from "@/api/contract";
import { createQueryClient } from "@/lib/queryClient";

export interface RecordedRequest {
  method: string;
  path: string;
  json: unknown;
}

export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): globalThis.Response {
  return new globalThis.Response(JSON.stringify(body), { status, headers });
}

export function problemResponse(
  status: number,
  code: string,
  detail = "",
  errors: unknown[] = [],
  headers: Record<string, string> = {},
): globalThis.Response {
  return jsonResponse({ status, code, detail, errors }, status, headers);
}

/** Records every request, in order. A request that the test does not answer gets 404. */
export function mockServer(answer: (request: RecordedRequest) => globalThis.Response | undefined): RecordedRequest[] {
  const all: RecordedRequest[] = [];
  vi.stubGlobal("fetch", (path: string, { method = "GET", body }: RequestInit) => {
    const request = { method, path, json: typeof body === "string" ? (JSON.parse(body) as unknown) : null };
    all.push(request);
    return Promise.resolve(answer(request) ?? problemResponse(404, "not_found", "There is nothing here."));
  });
  return all;
}

export function renderRoute(routes: RouteObject[], path: string) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const queries = createQueryClient();
  const { queries: asInTheApp, ...rest } = queries.getDefaultOptions();
  // A refusal is seen at once, not after the waits between tries.
  queries.setDefaultOptions({ ...rest, queries: { ...asInTheApp, retry: false } });
  render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

/** A window of this width, for queries of `min-width`. */
export function setWindowWidth(width: number): void {
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: width >= Number(/min-width: (\d+)px/.exec(query)?.[1] ?? Infinity),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

export function makeUser(change: Partial<CurrentUser> = {}): CurrentUser {
  return {
    id: "ada",
    email: "ada@hospital.example",
    name: "Ada",
    is_simulated: false,
    has_password: true,
    mails_results: true,
    roles: { researcher: false, administrator: false, coordinator: false },
    studies: [{ id: "study-1", name: "Pain", roles: ["expert"] }],
    ...change,
  };
}

export function makeBatch(change: Partial<ExpertBatch> = {}): ExpertBatch {
  return {
    id: "batch-1",
    number: 1,
    name: "",
    study: {
      id: "study-1",
      name: "Pain",
      status: "open",
      to_read: null, qualification: null,
      is_demo: false,
      kind: "ranking",
      description: "",
      contact: "",
      closes_on: null,
      coordinators: [],
    },
    total: 10,
    answered: 0,
    outcomes: { confirmed: 0, changed: 0, not_sure: 0, skipped: 0 },
    drafts: 0,
    marks: Array.from({ length: change.total ?? 10 }, (_, at) => ({ number: at + 1, status: "untouched", outcome: "" })),
    median_active_ms: null,
    expected_left_ms: null,
    ...change,
  };
}
