import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import type { StudyPlan } from "@/api/contract";
import { fieldsOf, planFaults } from "./planFields";
import { StudyPlanPage } from "./StudyPlanPage";

afterEach(() => vi.unstubAllGlobals());

const PLAN: StudyPlan = {
  judgement: "pairs", items: 54, judgements: 54, hours: 0.9, hours_per_rater: 0.15, studies: 400, power: 0.5,
  figures: [{ name: "share", label: "Pairs for the first arm", value: 0.8, low: 0.69, high: 0.89, half_width: 0.1 }],
  sentence: "54 pairs give 80 % ± 10 points.", notes: ["The interval is over pairs."], warnings: ["Underpowered: about 137 pairs would be enough."],
};

test("a plan is in the address, and shows what the study will show with its warning", async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", (_path: string, { body }: RequestInit) => {
    bodies.push(JSON.parse(String(body)));
    return Promise.resolve(new globalThis.Response(JSON.stringify(PLAN), { status: 200 }));
  });
  const router = createMemoryRouter([{ path: "/studies/plan", Component: StudyPlanPage }], { initialEntries: ["/studies/plan"] });
  render(<QueryClientProvider client={new QueryClient()}><RouterProvider router={router} /></QueryClientProvider>);
  const preference = screen.getByRole("spinbutton", { name: "Expected preference, in %" });
  await userEvent.clear(preference);
  await userEvent.type(preference, "62");
  await userEvent.click(screen.getByRole("button", { name: "Plan the study" }));
  expect(await screen.findByRole("heading", { level: 2 })).toHaveTextContent(PLAN.sentence);
  expect(screen.getByText(/Underpowered/)).toBeInTheDocument();
  expect(screen.getByText("The interval is over pairs.")).toBeVisible();
  expect(screen.getByRole("row", { name: /first arm/ })).toHaveTextContent("0.69 to 0.89");
  expect(bodies).toEqual([{ judgement: "pairs", raters: 6, items: 54, overlap: 1, seconds: 45, preference: 0.62, candidates: 10 }]);
  expect(router.state.location.search).toContain("preference=62");
});

test("hours of each expert take the place of the number of items", async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", (_path: string, { body }: RequestInit) => {
    bodies.push(JSON.parse(String(body)));
    return Promise.resolve(new globalThis.Response(JSON.stringify(PLAN), { status: 200 }));
  });
  const router = createMemoryRouter([{ path: "/studies/plan", Component: StudyPlanPage }], { initialEntries: ["/studies/plan"] });
  render(<QueryClientProvider client={new QueryClient()}><RouterProvider router={router} /></QueryClientProvider>);
  await userEvent.type(screen.getByRole("spinbutton", { name: "Or hours of each expert" }), "0.15");
  await userEvent.click(screen.getByRole("button", { name: "Plan the study" }));
  expect(screen.getByText("Leave the hours or the number above empty.")).toBeVisible();
  await userEvent.clear(screen.getByRole("spinbutton", { name: "Pairs" }));
  await userEvent.click(screen.getByRole("button", { name: "Plan the study" }));
  expect(await screen.findByRole("heading", { level: 2 })).toHaveTextContent(PLAN.sentence);
  expect(bodies).toEqual([{ judgement: "pairs", raters: 6, hours_per_rater: 0.15, overlap: 1, seconds: 45, preference: 0.8, candidates: 10 }]);
});

test("each kind offers its judgements, with the number that only they need", async () => {
  const router = createMemoryRouter([{ path: "/studies/plan", Component: StudyPlanPage }], { initialEntries: ["/studies/plan"] });
  render(<QueryClientProvider client={new QueryClient()}><RouterProvider router={router} /></QueryClientProvider>);
  const judgements = screen.getByRole("combobox", { name: "What experts judge" });
  expect(judgements).toHaveDisplayValue("Pairs");
  const labels = within(judgements).getAllByRole("option").map(({ textContent }) => textContent);
  expect(labels.toSorted()).toEqual(["Pairs", "Rankings", "Ratings from 1 to 5", "Verdicts on claims"]);
  await userEvent.selectOptions(judgements, "Rankings");
  expect(screen.getByRole("spinbutton", { name: "Questions" })).toBeVisible();
  expect(screen.getByRole("spinbutton", { name: "Candidates of a question" })).toBeVisible();
  expect(screen.queryByRole("spinbutton", { name: "Expected preference, in %" })).not.toBeInTheDocument();
});

test("numbers that cannot be planned are named", () => {
  const faults = (search: string) => planFaults(fieldsOf(new URLSearchParams(search)));
  expect(faults("")).toEqual({});
  expect(faults("judgement=votes")).toEqual({});
  expect(faults("overlap=7").overlap).toBe("Enter at most the number of raters.");
  expect(faults("items=5000&overlap=2").items).toMatch(/at most 6000/);
  expect(faults("items=1.5").items).toMatch(/whole number/);
  expect(faults("items=&hours=0").hours).toMatch(/from 0.01 to 1000/);
  expect(faults("items=&hours=13").hours).toMatch(/at most 6000/);
  expect(faults("items=").items).toMatch(/whole number/);
  expect(faults("seconds=").seconds).toMatch(/from 0 to 86400/);
});
