import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { card, AssignmentsPageHarness, order, question, setUpAssignmentsPage } from "./testing";

setUpAssignmentsPage();

beforeEach(() => {
  const wide = { matches: true, addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal("matchMedia", () => wide);
});

afterEach(() => {
  Reflect.deleteProperty(Element.prototype, "scrollIntoView");
});

const panel = () => screen.queryByRole("complementary", { name: "Help and questions" });

it("goes to the candidates when the side panel closes after the next question was opened", async () => {
  const { user } = await new AssignmentsPageHarness().open();
  await user.keyboard("?");
  await user.click(await screen.findByRole("radio", { name: "Questions" }));
  await user.click(await screen.findByRole("button", { name: /What is question 2\?/ }));
  await question(2);
  await user.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(panel()).not.toBeInTheDocument());
  expect(card(1)).toHaveFocus();
  await user.keyboard("2");
  expect(order()).toEqual(["b", "a", "c"]);
});

it("keeps the question in sight in the list of questions", async () => {
  const shown = vi.fn();
  Element.prototype.scrollIntoView = function (this: Element, options) {
    shown(this.textContent?.slice(0, 22), (options as ScrollIntoViewOptions).block);
  };
  const { user } = await new AssignmentsPageHarness().open();
  await user.click(screen.getByRole("button", { name: /all questions/ }));
  await screen.findByRole("button", { name: /What is question 1\?/ });
  expect(shown).toHaveBeenLastCalledWith("1What is question 1?no", "center");
  card(1).focus();
  await user.keyboard("aa");
  await question(2);
  await waitFor(() => expect(shown).toHaveBeenLastCalledWith("2What is question 2?no", "nearest"));
});

it("stays where it is when the side panel closes during work beside it", async () => {
  const { user } = await new AssignmentsPageHarness().open();
  await user.keyboard("?");
  act(() => card(2).focus());
  await user.click(screen.getByRole("button", { name: "What serendipitous means here, and the keys" }));
  await user.click(screen.getByRole("button", { name: "What serendipitous means here, and the keys" }));
  await waitFor(() => expect(panel()).not.toBeInTheDocument());
  expect(screen.getByRole("button", { name: "What serendipitous means here, and the keys" })).toHaveFocus();
});
