import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { bar, Desk, order, primary, question } from "./testing";

describe("by clicks", () => {
  it("orders, ties, says how sure, and submits", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.click(screen.getByRole("button", { name: "Move NADH up" }));
    await user.click(screen.getByRole("button", { name: "Tie Balsalazide with NADH" }));
    await user.click(screen.getByRole("radio", { name: "4, sure" }));
    await user.click(await primary(/Submit my order/));
    await question(2);
    await waitFor(() => expect(desk.told(1).state).toBe("changed"));
    expect(desk.told(1).confidence).toBe(4);
    expect(desk.told(1).ranking.map((group) => group.toSorted())).toEqual([["a"], ["b", "c"]]);
  });

  it("takes how sure she is back: nothing is preset, nothing stays by accident", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    for (const radio of screen.getAllByRole("radio")) expect(radio).not.toBeChecked();
    await user.click(screen.getByRole("radio", { name: "2, a little sure" }));
    await waitFor(() => expect(desk.told(1).confidence).toBe(2));
    await user.click(screen.getByRole("button", { name: "Clear how sure" }));
    await waitFor(() => expect(desk.told(1).confidence).toBeNull());
    expect(desk.told(1).state).toBe("draft");
  });

  it("takes no second click or tap that was meant for the question before", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.click(await primary(/I agree/));
    await screen.findByRole("heading", { level: 1, name: "What is question 2?" });
    await user.click(bar().getByRole("button", { name: /I agree/ }));
    await user.click(bar().getByRole("button", { name: "Skip" }));
    await waitFor(() => expect(desk.told(1).state).toBe("confirmed"));
    await question(2);
    await user.click(await primary(/I agree/));
    await question(3);
  });

  it("opens the definition, and notes that she looked", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.click(screen.getByRole("button", { name: "What serendipitous means, and the keys" }));
    expect(await screen.findByText(/serendipitous as far as it is all three/)).toBeVisible();
    await waitFor(() => expect(desk.events(1)).toContain("definition_opened"));
    expect(desk.told(1).state).toBe("untouched");
  });

  it("keeps every look-up link, and notes which was followed", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    expect(screen.getByRole("link", { name: /DrugBank DB00002/ })).toHaveAttribute("href", "https://go.drugbank.com/drugs/DB00002");
    await user.click(screen.getByRole("link", { name: /ARSI/ }));
    await waitFor(() => expect(desk.events(1)).toContain("link_opened"));
    expect(desk.told(1).state).toBe("untouched");
  });
});

describe("a batch without a name", () => {
  it("goes by its number, in the bar and in the tab", async () => {
    const desk = new Desk();
    desk.name = "";
    await desk.open();
    expect(screen.getByText("Repurposing, Batch 1")).toBeInTheDocument();
    expect(document.title).toBe("Question 1, Batch 1 · Serendib");
  });
});

describe("the way through a batch", () => {
  it("keeps the five states apart, asks the skipped ones last, and ends", async () => {
    const desk = new Desk(4);
    const { user } = await desk.open();
    await user.click(await primary("Skip"));
    await question(2);
    await user.keyboard("aa");
    await question(3);
    await user.keyboard("n");
    await user.click(await screen.findByRole("button", { name: "They are too close to call" }));
    await question(4);
    await user.keyboard("2{Control>}{Enter}{/Control}");
    await question(1);
    expect(screen.getByText(/^You skipped this/)).toBeVisible();
    await waitFor(() => expect([1, 2, 3, 4].map((number) => desk.told(number).state)).toEqual(["skipped", "confirmed", "not_sure", "changed"]));
    expect(desk.told(3).unsure_reason).toBe("too_close");
    await user.click(await screen.findByRole("button", { name: "3 of 4 answered: all questions" }));
    for (const words of ["skipped", "agreed", "not sure", "order changed"]) {
      expect(await screen.findByText(words)).toBeVisible();
    }
    await user.keyboard("{Escape}");
    await user.click(await primary("Skip"));
    expect(await screen.findByRole("heading", { name: "The end" })).toBeVisible();
  });

  it("goes back to an answer, and keeps it without a write", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.keyboard("aa");
    await question(2);
    await waitFor(() => expect(desk.told(1).state).toBe("confirmed"));
    await user.click(bar().getByRole("button", { name: /^Back/ }));
    await question(1);
    expect(screen.getByText(/^You submitted this .*: agreed\.$/)).toBeVisible();
    await user.click(await primary(/Keep and go on/));
    await question(2);
    expect(desk.revisions(1)).toHaveLength(1);
  });

  it("shows what was answered when she leaves and comes back", async () => {
    const desk = new Desk(1);
    const { user, router } = await desk.open();
    await user.keyboard("2{Control>}{Enter}{/Control}");
    await screen.findByRole("heading", { name: "The end" });
    await waitFor(() => expect(desk.told(1).state).toBe("changed"));
    await act(() => router.navigate("/rank/b1?review=1"));
    expect(await screen.findByRole("dialog", { name: "Help and questions" })).toHaveTextContent("order changed");
    await user.keyboard("{Escape}");
    await question(1);
    expect(order()).toEqual(["b", "a", "c"]);
    expect(screen.getByText(/^You submitted this/)).toBeVisible();
  });

  it("reviews a finished batch by number, and a second thought makes a second revision", async () => {
    const desk = new Desk(2);
    const { user, router } = await desk.open();
    await user.keyboard("aa");
    await question(2);
    await user.keyboard("aa");
    await screen.findByRole("heading", { name: "The end" });
    await act(() => router.navigate("/rank/b1?q=1"));
    await question(1);
    await user.keyboard("2");
    expect(screen.getByText(/Reopened: submit it again/)).toBeVisible();
    await user.keyboard("{Control>}{Enter}{/Control}");
    await question(2);
    await waitFor(() => expect(desk.revisions(1).map(({ action }) => action)).toEqual(["agree", "submit"]));
    expect(desk.events(1)).toContain("reopened");
  });

  it("only shows the answers of a closed study, and writes nothing", async () => {
    const desk = new Desk(2);
    desk.isClosed = true;
    const { user } = await desk.open();
    expect(screen.getByText(/This study is closed/)).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Move/ })).not.toBeInTheDocument();
    expect(bar().queryByRole("button", { name: "Skip" })).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "What serendipitous means, and the keys" }));
    await user.keyboard("{Escape}");
    await user.click(await primary(/Next question/));
    await question(2);
    expect(screen.queryByText(/Sav(ing|ed)|Failed|not sent/)).not.toBeInTheDocument();
    expect(desk.server.attempts).toEqual([]);
  });
});

describe("what is saved", () => {
  it("is said, and kept and tried again when the server does not answer", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    await user.keyboard("2");
    expect(await screen.findByText(/^Saved \d\d:\d\d:\d\d$/)).toBeVisible();
    desk.server.fault = (path) => (path.endsWith("/response") ? "down" : "none");
    await user.keyboard("3");
    expect(await screen.findByText(/^Failed, trying again in \d+ s, 1 change kept$/)).toBeVisible();
    desk.server.fault = () => "none";
    await user.click(screen.getByRole("button", { name: "Try now" }));
    expect(await screen.findByText(/^Saved \d/)).toBeVisible();
    expect(desk.told(1).ranking).toEqual([["b"], ["c"], ["a"]]);
  });
});

describe("leaving without a change", () => {
  it.each(["a closing page", "a hidden page"])("as %s records that she looked, once", async (way) => {
    const desk = new Desk();
    await desk.open();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    if (way === "a hidden page") vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event("pagehide"));
    await waitFor(() => expect(desk.events(1)).toEqual(["opened"]));
    expect(desk.told(1).active_ms).toBeGreaterThanOrEqual(1000);
    expect(desk.told(1).state).toBe("untouched");
    vi.restoreAllMocks();
  });
});
