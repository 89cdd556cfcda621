import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { actionBar, AssignmentsPageHarness, question, setUpAssignmentsPage } from "../testing";

setUpAssignmentsPage();

async function declare(user: Awaited<ReturnType<AssignmentsPageHarness["open"]>>["user"]) {
  await user.click(actionBar().getByRole("button", { name: /^Conflict/ }));
  await user.type(await screen.findByRole("textbox", { name: /Reason/ }), "My own paper.");
  await user.click(screen.getByRole("button", { name: "Skip for good" }));
}

it("takes the question away, and goes on without it", async () => {
  const harness = new AssignmentsPageHarness();
  const { user } = await harness.open();
  await declare(user);
  await question(2);
  await waitFor(() => expect(harness.result(1)).toBe("skipped"));
  expect(actionBar().getByRole("button", { name: /^Back/ })).toBeDisabled();
});

it("that the server refuses leaves its question on the page, with what to decide", async () => {
  const harness = new AssignmentsPageHarness();
  harness.server.rejects = ({ conflict }) => Boolean(conflict);
  const { user } = await harness.open();
  await declare(user);
  await question(2);
  await user.click(await screen.findByRole("button", { name: /not sent/ }));
  await question(1);
  expect(screen.getByRole("button", { name: "Send it again" })).toBeVisible();
});
