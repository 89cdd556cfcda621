import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { AssignmentsPageHarness, primaryButton, question, setUpAssignmentsPage } from "./testing";

setUpAssignmentsPage();

it("a newer text waits until the open question is done", async () => {
  const harness = new AssignmentsPageHarness();
  harness.isConsentNeeded = true;
  const { user } = await harness.open();
  await user.keyboard("n");
  const choice = await screen.findByRole("button", { name: "They are too close to call" });
  await waitFor(() => expect(harness.presenceReports).toBeGreaterThan(0));
  await act(async () => {});
  await user.click(choice);
  expect(await screen.findByRole("heading", { name: "Elsewhere" })).toBeVisible();
  await waitFor(() => expect(harness.result(1)).toBe("not_sure"));
});

it("a newer text waits for a question that was begun before the text was known", async () => {
  const harness = new AssignmentsPageHarness();
  const { user } = await harness.open();
  await user.click(await primaryButton("Skip"));
  await question(2);
  harness.isConsentNeeded = true;
  harness.onPresence = async () => {
    await screen.findByRole("heading", { level: 1, name: "What is question 3?" });
    fireEvent.keyDown(window, { key: "Shift" });
  };
  await user.click(await primaryButton("Skip"));
  await question(3);
  harness.onPresence = async () => {};
  await user.click(await primaryButton("Skip"));
  expect(await screen.findByRole("heading", { name: "Elsewhere" })).toBeVisible();
});
