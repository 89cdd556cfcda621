import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { rankingPayload } from "@/test/offline/fakeServer";
import { AssignmentsPageHarness, order, primaryButton, setUpAssignmentsPage } from "../testing";
import { TrialPage } from "./TrialPage";

setUpAssignmentsPage();

it("shows the real editor question by question, and sends nothing", async () => {
  const harness = new AssignmentsPageHarness();
  const results = [1, 2].map((number) => ({ item: harness.assignment(harness.ids[number - 1] ?? "", number).item, initial: rankingPayload([["a"], ["b"], ["c"]]) }));
  const study = { id: "study-1", name: "Repurposing", kind: "ranking", status: "draft", is_demo: false };
  const requests = mockServer(({ path }) => (path.includes("/questions") ? jsonResponse({ study, questions: 2, total: 2, offset: 0, results }) : undefined));
  const user = userEvent.setup();
  renderRoute([{ path: "/studies/:id/try", element: <TrialPage /> }], "/studies/study-1/try");
  expect(await screen.findByRole("heading", { level: 1, name: "What is question 1?" })).toBeInTheDocument();
  expect(screen.getByText("Trial: nothing that you do here is stored or counted.")).toBeInTheDocument();
  await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
  expect(order()).toEqual(["b", "a", "c"]);
  await user.click(await primaryButton(/Submit my order/));
  expect(await screen.findByRole("heading", { level: 1, name: "What is question 2?" })).toBeInTheDocument();
  await user.click(await primaryButton(/I agree/));
  expect(await screen.findByRole("heading", { level: 1, name: "The trial is over" })).toBeInTheDocument();
  expect(requests.every(({ method }) => method === "GET")).toBe(true);
});
