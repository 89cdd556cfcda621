/** A page as a visitor opens it, before a server whose answers a test decides. */
import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, type RouteObject } from "react-router";
import { vi } from "vitest";
import type { ExpertBatch, Me } from "@/api/contract";
import { newQueryClient } from "@/lib/queryClient";

export interface Asked {
  method: string;
  path: string;
  json: unknown;
}

export function reply(body: unknown, status = 200): globalThis.Response {
  return new globalThis.Response(JSON.stringify(body), { status });
}

export function problem(status: number, code: string, detail = "", errors: unknown[] = []): globalThis.Response {
  return reply({ status, code, detail, errors }, status);
}

/** Everything that was asked, in order. What the test has no answer for is not there. */
export function serve(answer: (asked: Asked) => globalThis.Response | undefined): Asked[] {
  const all: Asked[] = [];
  vi.stubGlobal("fetch", (path: string, { method = "GET", body }: RequestInit) => {
    const asked = { method, path, json: typeof body === "string" ? (JSON.parse(body) as unknown) : null };
    all.push(asked);
    return Promise.resolve(answer(asked) ?? problem(404, "not_found", "There is nothing here."));
  });
  return all;
}

export function visit(routes: RouteObject[], path: string) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const queries = newQueryClient();
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

export function somebody(change: Partial<Me> = {}): Me {
  return {
    id: "ada",
    email: "ada@hospital.example",
    name: "Ada",
    is_simulated: false,
    has_password: true,
    roles: { researcher: false, administrator: false },
    studies: [{ id: "study-1", name: "Pain", roles: ["expert"] }],
    ...change,
  };
}

export function aBatch(change: Partial<ExpertBatch> = {}): ExpertBatch {
  return {
    id: "batch-1",
    number: 1,
    name: "",
    study: { id: "study-1", name: "Pain", status: "open", consent_needed: false, is_demo: false },
    total: 10,
    answered: 0,
    confirmed: 0,
    changed: 0,
    not_sure: 0,
    skipped: 0,
    drafts: 0,
    median_active_ms: null,
    expected_left_ms: null,
    ...change,
  };
}
