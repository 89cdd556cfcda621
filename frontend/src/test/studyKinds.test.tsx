import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it, vi } from "vitest";
import { makeBatch } from "@/features/dashboard/fixtures";
import { distributionText, resultLabel } from "@/features/dashboard/labels";
import { AssignmentsPage } from "@/features/assignments/AssignmentsPage";
import { addStudyKinds, findPractice, findStudyKind, studyKindInfo, type KindModule } from "@/study-kinds/registry";
import { FakeServer } from "./offline/fakeServer";

addStudyKinds(import.meta.glob<KindModule>("./study-kinds/*/index.ts", { eager: true }));

it("a kind that is only a folder goes from the item to the answer, the outbox and the dashboard", async () => {
  const server = new FakeServer();
  server.signIn("rater");
  server.assign("rating-1", "rater", { stars: null }, "rating");
  const item = { id: "i1", file_id: "0", number: 1, text: "How good is it?", category: "", resources: [] };
  const study = { id: "s1", name: "Stars", kind: "rating", status: "open", is_demo: false, graph: null };
  const batch = () => ({
    batch: { id: "b1", number: 1, name: "", study },
    total: 1,
    assignments: [{ id: "rating-1", item, response: server.of("rating-1").response }],
  });
  vi.stubGlobal("scrollTo", () => {});
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  vi.stubGlobal("fetch", (path: string, init: RequestInit) =>
    path.endsWith("/assignments") ? Promise.resolve(new Response(JSON.stringify(batch()))) : server.fetch(path, init),
  );
  const routes = [
    { path: "/rank/:batchId", element: <AssignmentsPage /> },
    { path: "*", element: <h1>The end</h1> },
  ];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter(routes, { initialEntries: ["/rank/b1"] })} />
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole("radio", { name: "4 of 5" }, { timeout: 10_000 }));
  await waitFor(() => expect(server.of("rating-1").response).toMatchObject({ status: "draft", payload: { stars: 4 } }));
  const submit = screen.getByRole("button", { name: /^Submit my rating/ });
  await waitFor(() => expect(submit).not.toHaveAttribute("aria-disabled", "true"));
  await userEvent.click(submit);
  await waitFor(() => expect(server.of("rating-1").response).toMatchObject({ status: "submitted", outcome: "rated" }));
  await waitFor(() => expect(server.of("rating-1").entries.map(({ kind }) => kind)).toEqual(["opened", "starred", "submitted"]));
  const info = studyKindInfo("rating");
  expect(resultLabel(info, { outcome: "rated" })).toBe("rated");
  expect(distributionText(info, makeBatch({ outcomes: { rated: 9, no_opinion: 3, skipped: 0 } }))).toBe("9 rated, 3 no opinion, 8 not answered");
  expect(findPractice()?.linkLabel).toBe("Rank a practice question");
  expect(findStudyKind("rating")?.differences(item, { stars: 4 }, { stars: null })).toHaveLength(1);
});
