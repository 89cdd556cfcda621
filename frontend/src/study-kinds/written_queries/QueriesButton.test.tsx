import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { expect, it, vi } from "vitest";
import { QueriesButton } from "./QueriesButton";

function renderButton(isOpen: boolean) {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter><QueriesButton study="s1" isOpen={isOpen} /></MemoryRouter>
    </QueryClientProvider>,
  );
}

it("stores the queries of a closed study, and shows the verdicts and the way to more", async () => {
  const user = userEvent.setup();
  const stored = { study: "Drugs", question_set: "q1", name: "Queries of Drugs", queries: 5, added: 2, verified: 3, refuted: 1, divided: 0, unverified: 1 };
  const sent: string[] = [];
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    sent.push(`${init.method} ${path}`);
    return Promise.resolve(new Response(JSON.stringify(stored), { headers: { "Content-Type": "application/json" } }));
  });
  renderButton(false);
  await user.click(screen.getByRole("button", { name: "Queries and verdicts" }));
  await user.click(screen.getByRole("button", { name: "Store them" }));
  expect(await screen.findByText("The set ‘Queries of Drugs’ has 5 queries, 2 of them new.")).toBeVisible();
  expect(screen.getByText("Verified by other experts: 3. Refuted: 1. Divided: 0. Not rated yet: 1.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Create a study of ratings" })).toHaveAttribute("href", "/studies/new?from=question-set");
  expect(sent).toEqual(["POST /api/v1/studies/s1/queries"]);
});

it("is not there while the study is open, when experts still change their queries", () => {
  renderButton(true);
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});
