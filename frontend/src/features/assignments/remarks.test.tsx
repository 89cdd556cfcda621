import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { announcement, AssignmentsPageHarness, card, question, setUpAssignmentsPage } from "./testing";

setUpAssignmentsPage();

it("S and a digit choose how sure the expert is, and the focus goes back to the card", async () => {
  const harness = new AssignmentsPageHarness();
  const { user } = await harness.open();
  await user.keyboard("js4");
  expect(screen.getByRole("radio", { name: "4, sure" })).toBeChecked();
  expect(card(2)).toHaveFocus();
  await user.keyboard("s{Escape}");
  expect(card(2)).toHaveFocus();
  await waitFor(() => expect(harness.saved(1).payload.confidence).toBe(4));
});

it("a digit for which there is no rank says so, and moves nothing", async () => {
  const { user } = await new AssignmentsPageHarness().open();
  await user.keyboard("7");
  expect(announcement()).toBe("There is no rank 7: the last is 3.");
});

it("a comment goes with 'Not sure', after one that is there already", async () => {
  const harness = new AssignmentsPageHarness();
  const { user } = await harness.open();
  await user.keyboard("c");
  await user.type(screen.getByRole("textbox", { name: "Comment" }), "Old trial.");
  card(1).focus();
  await user.keyboard("n");
  await user.type(await screen.findByRole("textbox", { name: /^Comment, if you like/ }), "Two of them are unknown to me.");
  await user.click(screen.getByRole("button", { name: "I do not know these candidates" }));
  await question(2);
  expect(card(1)).toHaveFocus();
  await waitFor(() => expect(harness.result(1)).toBe("not_sure"));
  expect(harness.saved(1).payload).toMatchObject({
    unsure_reason: "candidates_unknown",
    comment: "Old trial.\nTwo of them are unknown to me.",
  });
});

it("'Not sure' by its first reason still takes two keys, and the focus is on the next question's first card", async () => {
  const harness = new AssignmentsPageHarness();
  const { user } = await harness.open();
  await user.keyboard("n");
  await screen.findByRole("dialog");
  await user.keyboard("{Enter}");
  await question(2);
  expect(card(1)).toHaveFocus();
  await waitFor(() => expect(harness.saved(1).payload).toMatchObject({ unsure_reason: "outside_my_field", comment: "" }));
});
