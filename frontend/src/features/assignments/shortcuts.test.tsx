import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ActiveTimer } from "@/lib/activeTime";
import { actionBar, card, AssignmentsPageHarness, order, question, announcement, setUpAssignmentsPage } from "./testing";

setUpAssignmentsPage();
afterEach(() => {
  vi.restoreAllMocks();
});

/** A second of active time after the last save would be an entry of its own. */
const holdActiveTime = () => vi.spyOn(ActiveTimer.prototype, "takeElapsedMs").mockReturnValue(0);

describe("agreeing", () => {
  it("takes two keys: A asks, A again agrees", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await user.keyboard("a");
    expect(announcement()).toContain("I agree with this order: press A again or Enter");
    expect(actionBar().getByText(/Press Enter to confirm/)).toBeVisible();
    expect(harness.revisions(1)).toEqual([]);
    await user.keyboard("a");
    await question(2);
    await waitFor(() => expect(harness.result(1)).toBe("confirmed"));
    expect(harness.result(2)).toBe("untouched");
  });

  it("is confirmed by Enter too, also on a button inside the candidate, which is then not pressed", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    screen.getByRole("button", { name: "Move Zinc down" }).focus();
    await user.keyboard("a{Enter}");
    await question(2);
    await waitFor(() => expect(harness.revisions(1)).toEqual([{ outcome: "confirmed", ranking: [["a"], ["b"], ["c"]] }]));
  });

  it.each(["j", "{ArrowDown}", "{Escape}"])("is taken back by another key (%s)", async (key) => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await user.keyboard(`a${key}{Enter}`);
    expect(actionBar().queryByText(/Press Enter/)).not.toBeInTheDocument();
    expect(harness.revisions(1)).toEqual([]);
  });

  it("does not come of a key that is held down", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await user.keyboard("{a>3/}");
    expect(actionBar().getByText(/Press Enter to confirm/)).toBeVisible();
    expect(harness.revisions(1)).toEqual([]);
  });

  it("is not offered once the order is changed", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await user.keyboard("2aa");
    expect(announcement()).toContain("Ctrl and Enter submits it");
    expect(actionBar().getByText(/You changed the order/)).toBeVisible();
    expect(actionBar().getByRole("button", { name: /Submit my order/ })).toBeVisible();
    expect(harness.revisions(1)).toEqual([]);
  });
});

describe("a question without a prior", () => {
  const openHidden = async () => {
    holdActiveTime();
    const harness = new AssignmentsPageHarness();
    harness.hasPrior = false;
    return { harness, ...(await harness.open()) };
  };

  it("takes its first order as the expert's own after two keys, and names it so", async () => {
    const { harness, user } = await openHidden();
    expect(document.body).not.toHaveTextContent(/model|prior|agree/i);
    await user.keyboard("a");
    expect(announcement()).toContain("This is my order: press A again or Enter to confirm");
    expect(actionBar().getByText(/Press Enter to confirm/)).toBeVisible();
    expect(harness.revisions(1)).toEqual([]);
    await user.keyboard("a");
    await question(2);
    await waitFor(() => expect(harness.revisions(1)).toEqual([{ outcome: "ranked", ranking: [["a"], ["b"], ["c"]] }]));
    expect(harness.events(1)).toEqual(["opened", "submitted"]);
  });

  it("ends alike with another order: the same outcome, word and shape", async () => {
    const { harness, user } = await openHidden();
    await user.keyboard("{Control>}{Enter}{/Control}");
    await question(2);
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(actionBar().getByRole("button", { name: /Submit my order/ })).toBeVisible();
    await user.keyboard("{Control>}{Enter}{/Control}");
    await question(3);
    await waitFor(() => expect([1, 2].map(harness.result)).toEqual(["ranked", "ranked"]));
  });

  it("is kept as it is when it is opened again", async () => {
    const { harness, user } = await openHidden();
    await user.keyboard("{Control>}{Enter}{/Control}");
    await question(2);
    await user.click(actionBar().getByRole("button", { name: /Back/ }));
    await question(1);
    expect(screen.getByText(/^You submitted this .*: ranked\.$/)).toBeVisible();
    expect(actionBar().getByRole("button", { name: /Keep and go on/ })).toBeVisible();
    await user.keyboard("2");
    expect(actionBar().getByRole("button", { name: /Submit my order/ })).toBeVisible();
    await waitFor(() => expect(harness.result(1)).toBe("draft"));
  });
});

describe("by keyboard", () => {
  it("moves one candidate and submits with four keys, and the next question is there", async () => {
    holdActiveTime();
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    expect(card(1)).toHaveFocus();
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}{Control>}{Enter}{/Control}");
    await question(2);
    expect(card(1)).toHaveFocus();
    await waitFor(() => expect(harness.revisions(1)).toEqual([{ outcome: "changed", ranking: [["b"], ["a"], ["c"]] }]));
    expect(harness.events(1)).toEqual(["opened", "moved", "submitted"]);
  });

  it("takes Control and Enter that is pressed twice for one question only", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    // However slowly the next question is drawn, the second press comes at once.
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    await user.keyboard("{Control>}{Enter}{Enter}{/Control}");
    await screen.findByRole("heading", { level: 1, name: "What is question 2?" });
    await user.keyboard("{Control>}{Enter}{/Control}");
    await question(2);
    await waitFor(() => expect(harness.result(1)).toBe("confirmed"));
    expect(harness.result(2)).toBe("untouched");
  });

  it("changes nothing of a question that was just submitted", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await waitFor(() => expect(actionBar().getByRole("button", { name: /I agree/ })).not.toHaveAttribute("aria-disabled", "true"));
    const first = card(1);
    fireEvent.keyDown(first, { key: "Enter", ctrlKey: true });
    fireEvent.keyDown(first, { key: "ArrowDown", altKey: true });
    await question(2);
    await user.keyboard("{Control>}{Enter}{/Control}");
    // Writes are sent in order: what the first question had is there too.
    await waitFor(() => expect(harness.result(2)).toBe("confirmed"));
    expect(harness.result(1)).toBe("confirmed");
    expect(harness.revisions(1)).toEqual([{ outcome: "confirmed", ranking: [["a"], ["b"], ["c"]] }]);
  });

  it("comes back to a comment that is open, behind what was written", async () => {
    const { user } = await new AssignmentsPageHarness().open();
    await user.keyboard("cone{Escape}c two");
    expect(screen.getByRole("textbox", { name: "Comment" })).toHaveValue("one two");
  });

  it("says each question and each place aloud", async () => {
    const { user } = await new AssignmentsPageHarness().open();
    expect(announcement()).toBe("Question 1. What is question 1?");
    await user.keyboard("2");
    expect(announcement()).toBe("Zinc, rank 2 of 3");
    await user.keyboard("t");
    expect(announcement()).toBe("Zinc, rank 1 of 3, tied with Balsalazide");
    await user.keyboard("u");
    expect(announcement()).toContain("Undone.");
  });

  it("reaches comment, not sure, the definition and the keys, and comes back to the candidate", async () => {
    const { user } = await new AssignmentsPageHarness().open();
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
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    screen.getByRole("link", { name: /ARSI/ }).focus();
    await user.keyboard(`{${key}>}{Enter}{/${key}}`);
    await question(1);
    expect(harness.revisions(1)).toEqual([]);
  });

  it("leaves single letters alone once they are turned off, and remembers it", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await user.keyboard("?");
    await user.click(await screen.findByRole("switch", { name: /Single letters/ }));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(card(1)).toHaveFocus());
    await user.keyboard("aa2tnch");
    expect(order()).toEqual(["a", "b", "c"]);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(harness.revisions(1)).toEqual([]);
    expect(localStorage.getItem("serendib-letter-keys")).toBe("off");
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}{Control>}{Enter}{/Control}");
    await waitFor(() => expect(harness.result(1)).toBe("changed"));
  });
});
