import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { bar, card, Desk, order, question, said } from "./testing";

describe("agreeing", () => {
  it("takes two keys: A asks, A again agrees", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.keyboard("a");
    expect(said()).toContain("I agree with this order: press A again or Enter");
    expect(bar().getByText(/Press Enter to agree/)).toBeVisible();
    expect(desk.revisions(1)).toEqual([]);
    await user.keyboard("a");
    await question(2);
    await waitFor(() => expect(desk.told(1).state).toBe("confirmed"));
    expect(desk.told(2).state).toBe("untouched");
  });

  it("is confirmed by Enter too, also on a button inside the candidate, which is then not pressed", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    screen.getByRole("button", { name: "Move Zinc down" }).focus();
    await user.keyboard("a{Enter}");
    await question(2);
    await waitFor(() => expect(desk.revisions(1)).toEqual([{ action: "agree", ranking: [["a"], ["b"], ["c"]] }]));
  });

  it.each(["j", "{ArrowDown}", "{Escape}"])("is taken back by another key (%s)", async (key) => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.keyboard(`a${key}{Enter}`);
    expect(bar().queryByText(/Press Enter/)).not.toBeInTheDocument();
    expect(desk.revisions(1)).toEqual([]);
  });

  it("does not come of a key that is held down", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.keyboard("{a>3/}");
    expect(bar().getByText(/Press Enter to agree/)).toBeVisible();
    expect(desk.revisions(1)).toEqual([]);
  });

  it("is not offered once the order is changed", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.keyboard("2aa");
    expect(said()).toContain("Ctrl and Enter submits it");
    expect(bar().getByText(/You changed the order/)).toBeVisible();
    expect(bar().getByRole("button", { name: /Submit my order/ })).toBeVisible();
    expect(desk.revisions(1)).toEqual([]);
  });
});

describe("by keyboard", () => {
  it("moves one candidate and submits with four keys, and the next question is there", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    expect(card(1)).toHaveFocus();
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}{Control>}{Enter}{/Control}");
    await question(2);
    expect(card(1)).toHaveFocus();
    await waitFor(() => expect(desk.revisions(1)).toEqual([{ action: "submit", ranking: [["b"], ["a"], ["c"]] }]));
    expect(desk.events(1)).toEqual(["opened", "moved", "submitted"]);
  });

  it("takes Control and Enter that is pressed twice for one question only", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.keyboard("{Control>}{Enter}{Enter}{/Control}");
    await screen.findByRole("heading", { level: 1, name: "What is question 2?" });
    await user.keyboard("{Control>}{Enter}{/Control}");
    await question(2);
    await waitFor(() => expect(desk.told(1).state).toBe("confirmed"));
    expect(desk.told(2).state).toBe("untouched");
  });

  it("comes back to a comment that is open, behind what was written", async () => {
    const { user } = await new Desk().open();
    await user.keyboard("cone{Escape}c two");
    expect(screen.getByRole("textbox", { name: "Comment" })).toHaveValue("one two");
  });

  it("says each question and each place aloud", async () => {
    const { user } = await new Desk().open();
    expect(said()).toBe("Question 1. What is question 1?");
    await user.keyboard("2");
    expect(said()).toBe("Zinc, rank 2 of 3");
    await user.keyboard("t");
    expect(said()).toBe("Zinc, rank 1 of 3, tied with Balsalazide");
    await user.keyboard("u");
    expect(said()).toContain("Undone.");
  });

  it("reaches comment, not sure, the definition and the keys, and comes back to the candidate", async () => {
    const { user } = await new Desk().open();
    await user.keyboard("jc");
    expect(screen.getByRole("textbox", { name: "Comment" })).toHaveFocus();
    await user.keyboard("an{Escape}");
    expect(screen.getByRole("textbox", { name: "Comment" })).toHaveValue("an");
    expect(card(2)).toHaveFocus();
    await user.keyboard("n");
    expect(await screen.findByRole("dialog", { name: "Why are you not sure?" })).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(card(2)).toHaveFocus());
    await user.keyboard("h");
    expect(await screen.findByText(/serendipitous as far as it is all three/)).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(card(2)).toHaveFocus());
    await user.keyboard("?");
    expect(await screen.findByRole("switch", { name: /Single letters/ })).toBeVisible();
  });

  it.each(["Control", "Meta"])("lets %s and Enter open a link beside the page instead of ending the question", async (key) => {
    const desk = new Desk();
    const { user } = await desk.open();
    screen.getByRole("link", { name: /ARSI/ }).focus();
    await user.keyboard(`{${key}>}{Enter}{/${key}}`);
    await question(1);
    expect(desk.revisions(1)).toEqual([]);
  });

  it("leaves single letters alone once they are turned off, and remembers it", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.keyboard("?");
    await user.click(await screen.findByRole("switch", { name: /Single letters/ }));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(card(1)).toHaveFocus());
    await user.keyboard("aa2tnch");
    expect(order()).toEqual(["a", "b", "c"]);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(desk.revisions(1)).toEqual([]);
    expect(localStorage.getItem("serendib-letter-keys")).toBe("off");
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}{Control>}{Enter}{/Control}");
    await waitFor(() => expect(desk.told(1).state).toBe("changed"));
  });
});
