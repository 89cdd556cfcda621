import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { engineFor } from "@/lib/offline";
import { isSameUser } from "@/lib/session";
import { actionBar, AssignmentsPageHarness, order, primaryButton, question, setUpAssignmentsPage } from "./testing";

setUpAssignmentsPage();

describe("by clicks", () => {
  it("orders, ties, says how sure, and submits", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await user.click(screen.getByRole("button", { name: "Move NADH up" }));
    await user.click(screen.getByRole("button", { name: "Tie Balsalazide with NADH" }));
    await user.click(screen.getByRole("radio", { name: "4, sure" }));
    await user.click(await primaryButton(/Submit my order/));
    await question(2);
    await waitFor(() => expect(harness.result(1)).toBe("changed"));
    expect(harness.saved(1).payload.confidence).toBe(4);
    expect((harness.saved(1).payload.ranking as string[][]).map((group) => group.toSorted())).toEqual([["a"], ["b", "c"]]);
  });

  it("takes the confidence back: nothing is preset, nothing stays by accident", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    for (const radio of screen.getAllByRole("radio")) expect(radio).not.toBeChecked();
    await user.click(screen.getByRole("radio", { name: "2, a little sure" }));
    await waitFor(() => expect(harness.saved(1).payload.confidence).toBe(2));
    await user.click(screen.getByRole("button", { name: "Clear how sure" }));
    await waitFor(() => expect(harness.saved(1).payload.confidence).toBeNull());
    expect(harness.result(1)).toBe("draft");
  });

  it("takes no second click or tap that was meant for the question before", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    const first = await primaryButton(/I agree/);
    // However slowly the next question is drawn, the second press comes at once.
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    await user.click(first);
    await screen.findByRole("heading", { level: 1, name: "What is question 2?" });
    await user.click(actionBar().getByRole("button", { name: /I agree/ }));
    await user.click(actionBar().getByRole("button", { name: "Skip" }));
    await waitFor(() => expect(harness.result(1)).toBe("confirmed"));
    clock.mockRestore();
    await question(2);
    await user.click(await primaryButton(/I agree/));
    await question(3);
  });

  it("opens the definition, and records that it was opened", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await user.click(screen.getByRole("button", { name: "What serendipitous means here, and the keys" }));
    expect(await screen.findByText(/serendipitous as far as it is all three/)).toBeVisible();
    await waitFor(() => expect(harness.events(1)).toContain("definition_opened"));
    expect(harness.result(1)).toBe("untouched");
  });

  it("keeps every look-up link, and notes which was followed", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    expect(screen.getByRole("link", { name: /DrugBank DB00002/ })).toHaveAttribute("href", "https://go.drugbank.com/drugs/DB00002");
    await user.click(screen.getByRole("link", { name: /ARSI/ }));
    await waitFor(() => expect(harness.events(1)).toContain("link_opened"));
    expect(harness.result(1)).toBe("untouched");
  });
});

describe("a batch without a name", () => {
  it("goes by its number, in the bar and in the tab", async () => {
    const harness = new AssignmentsPageHarness();
    harness.name = "";
    await harness.open();
    expect(screen.getByText("Repurposing, Batch 1")).toBeInTheDocument();
    expect(document.title).toBe("Question 1, Batch 1 · Serendib");
  });
});

describe("the way through a batch", () => {
  it("keeps the five states apart, asks the skipped ones last, and ends", async () => {
    const harness = new AssignmentsPageHarness(4);
    const { user } = await harness.open();
    await user.click(await primaryButton("Skip"));
    await question(2);
    await user.keyboard("aa");
    await question(3);
    await user.keyboard("n");
    await user.click(await screen.findByRole("button", { name: "They are too close to call" }));
    await question(4);
    await user.keyboard("2{Control>}{Enter}{/Control}");
    await question(1);
    expect(screen.getByText(/^You skipped this/)).toBeVisible();
    await waitFor(() => expect([1, 2, 3, 4].map((number) => harness.result(number))).toEqual(["skipped", "confirmed", "not_sure", "changed"]));
    expect(harness.saved(3).payload.unsure_reason).toBe("too_close");
    await user.click(await screen.findByRole("button", { name: "3 of 4 answered: all questions" }));
    for (const words of ["skipped", "agreed", "not sure", "order changed"]) {
      expect(await screen.findByText(words)).toBeVisible();
    }
    await user.keyboard("{Escape}");
    await user.click(await primaryButton("Skip"));
    expect(await screen.findByRole("heading", { name: "The end" })).toBeVisible();
  });

  it("goes back to an answer, and keeps it without a write", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await user.keyboard("aa");
    await question(2);
    await waitFor(() => expect(harness.result(1)).toBe("confirmed"));
    await user.click(actionBar().getByRole("button", { name: /^Back/ }));
    await question(1);
    expect(screen.getByText(/^You submitted this .*: agreed\.$/)).toBeVisible();
    await user.click(await primaryButton(/Keep and go on/));
    await question(2);
    expect(harness.revisions(1)).toHaveLength(1);
  });

  it("shows what was answered when the expert leaves and comes back", async () => {
    const harness = new AssignmentsPageHarness(1);
    const { user, router } = await harness.open();
    await user.keyboard("2{Control>}{Enter}{/Control}");
    await screen.findByRole("heading", { name: "The end" });
    await waitFor(() => expect(harness.result(1)).toBe("changed"));
    await act(() => router.navigate("/rank/b1?review=1"));
    expect(await screen.findByRole("dialog", { name: "Help and questions" })).toHaveTextContent("order changed");
    await user.keyboard("{Escape}");
    await question(1);
    expect(order()).toEqual(["b", "a", "c"]);
    expect(screen.getByText(/^You submitted this/)).toBeVisible();
  });

  it("reviews a finished batch by number, and a second thought makes a second revision", async () => {
    const harness = new AssignmentsPageHarness(2);
    const { user, router } = await harness.open();
    await user.keyboard("aa");
    await question(2);
    await user.keyboard("aa");
    await screen.findByRole("heading", { name: "The end" });
    await act(() => router.navigate("/rank/b1?q=1"));
    await question(1);
    await user.keyboard("2");
    expect(await screen.findByText(/Reopened: submit it again/)).toBeVisible();
    await user.keyboard("{Control>}{Enter}{/Control}");
    await question(2);
    await waitFor(() => expect(harness.revisions(1).map(({ outcome }) => outcome)).toEqual(["confirmed", "changed"]));
    expect(harness.events(1)).toContain("reopened");
  });

  it("only shows the answers of a closed study, and writes nothing", async () => {
    const harness = new AssignmentsPageHarness(2);
    harness.isClosed = true;
    const { user } = await harness.open();
    expect(screen.getByText("This study is not open: answers can be read, not changed.")).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Move/ })).not.toBeInTheDocument();
    expect(actionBar().queryByRole("button", { name: "Skip" })).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "What serendipitous means here, and the keys" }));
    await user.keyboard("{Escape}");
    await user.click(await primaryButton(/Next question/));
    await question(2);
    expect(screen.queryByText(/Sav(ing|ed)|Failed|not sent|Nothing to save|left$/)).not.toBeInTheDocument();
    expect(harness.server.attempts).toEqual([]);
  });
});

function pending() {
  const ends = { resolve: () => {}, reject: (() => {}) as (error: Error) => void };
  const promise = new Promise<void>((resolve, reject) => Object.assign(ends, { resolve, reject }));
  return { promise, resolve: () => ends.resolve(), reject: (error: Error) => ends.reject(error) };
}

describe("a pool", () => {
  const answerThose = async (harness: AssignmentsPageHarness, count: number) => {
    const { user } = await harness.open();
    for (let number = 1; number <= count; number += 1) {
      await question(number);
      await user.keyboard("aa");
    }
  };

  it("states how many there may be at most, not how many were taken ahead", async () => {
    const harness = new AssignmentsPageHarness(4);
    const { promise, resolve } = pending();
    Object.assign(harness, { leased: 2, onLease: () => promise });
    await answerThose(harness, 1);
    const list = await screen.findByRole("button", { name: "1 answered, up to 3 more in the pool: all questions" });
    expect(list).toHaveTextContent("1 answered");
    resolve();
    const whole = await screen.findByRole("button", { name: "1 of 4 answered: all questions" });
    expect(whole).toHaveTextContent("1 of 4");
  });

  it("does not end while the server is slow with more questions", async () => {
    const harness = new AssignmentsPageHarness(4);
    const { promise, resolve } = pending();
    Object.assign(harness, { leased: 2, onLease: () => promise });
    await answerThose(harness, 2);
    expect(await screen.findByRole("heading", { name: "Loading the next question" })).toBeVisible();
    resolve();
    await question(3);
  });

  it("ends where the server gives out no more of them", async () => {
    const harness = new AssignmentsPageHarness(4);
    const { promise, reject } = pending();
    Object.assign(harness, { leased: 2, onLease: () => promise });
    await answerThose(harness, 2);
    expect(await screen.findByRole("heading", { name: "Loading the next question" })).toBeVisible();
    reject(new TypeError("Failed to fetch"));
    expect(await screen.findByRole("heading", { name: "The end" })).toBeVisible();
  });
});

describe("an answer that another tab submits", () => {
  it("is not called reopened, and is kept without another submission", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await user.keyboard("2");
    await waitFor(() => expect(harness.result(1)).toBe("draft"));
    const engine = await engineFor(harness.expert);
    const { version, payload } = harness.saved(1);
    const id = harness.ids[0] ?? "";
    const write = { version, action: "submit" as const, outcome: "changed", payload, active_ms: 0 };
    await engine.enqueue({ id: "other-tab", resource: id, batch: "b1", kind: "ranking", interface: "rank-1", changes: 1, queuedAt: new Date().toISOString(), write });
    expect(await screen.findByText(/^You submitted this .*: order changed\.$/)).toBeVisible();
    expect(screen.queryByText(/Reopened/)).not.toBeInTheDocument();
    await user.click(await primaryButton(/Keep and go on/));
    await question(2);
    expect(harness.revisions(1)).toHaveLength(1);
  });
});

describe("what is saved", () => {
  it("includes a move whose keys are held while the session is found to have ended", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    harness.server.signOut();
    harness.presenceStatus = 401;
    await user.keyboard("{Alt>}");
    expect(await screen.findByText(/^Your session has expired/)).toBeVisible();
    await user.keyboard("{ArrowDown}");
    await user.keyboard("{/Alt}");
    expect(order()).toEqual(["b", "a", "c"]);
    const dialog = await screen.findByRole("dialog", { name: "Sign in again" });
    await waitFor(() => expect(dialog).toHaveTextContent("1 change waits here"));
    harness.server.signIn(harness.expert);
    await act(() => isSameUser());
    await waitFor(() => expect(harness.saved(1).payload.ranking).toEqual([["b"], ["a"], ["c"]]));
    await waitFor(() => expect(harness.events(1)).toContain("moved"));
  });

  it("is said, and kept and tried again when the server does not answer", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    await user.keyboard("2");
    expect(await screen.findByText(/^Saved \d\d:\d\d:\d\d$/)).toBeVisible();
    harness.server.failureFor = (path) => (path.endsWith("/response") ? "down" : "none");
    await user.keyboard("3");
    expect(await screen.findByText(/^Failed, trying again in \d+ s, 1 change kept$/)).toBeVisible();
    harness.server.failureFor = () => "none";
    await user.click(screen.getByRole("button", { name: "Try now" }));
    expect(await screen.findByText(/^Saved \d/)).toBeVisible();
    expect(harness.saved(1).payload.ranking).toEqual([["b"], ["c"], ["a"]]);
  });
});

describe("while the server is slow", () => {
  const never = () => new Promise<Response>(() => {});

  it("says that a batch is still loading", async () => {
    const harness = new AssignmentsPageHarness();
    vi.stubGlobal("fetch", (path: string, init?: RequestInit) => (path.endsWith("/assignments") ? never() : harness.fetch(path, init)));
    harness.show("/rank/b1");
    expect(await screen.findByText("The server is slow to answer. This batch is still loading.")).toBeVisible();
  });

  it("says that an answer is still being saved, that it is kept, and when it is saved", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    const { promise, resolve } = pending();
    vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
      if (path.endsWith("/response")) await promise;
      return harness.fetch(path, init);
    });
    await user.keyboard("2");
    expect(await screen.findByText("Still saving, 1 change kept", { ignore: "[role=status]" })).toBeVisible();
    expect(harness.result(1)).toBe("untouched");
    resolve();
    expect(await screen.findByText(/^Saved \d/)).toBeVisible();
    expect(harness.saved(1).payload.ranking).toEqual([["b"], ["a"], ["c"]]);
  });
});

describe("while the database restarts", () => {
  it("the batch on this device is shown; without one the page names the reason", async () => {
    const harness = new AssignmentsPageHarness();
    const first = await harness.open();
    first.page.unmount();
    harness.isRestarting = true;
    const second = await harness.open();
    second.page.unmount();
    harness.show("/rank/b2");
    expect(await screen.findByText(/The database is restarting\. Trying again\./)).toBeVisible();
    harness.isRestarting = false;
    await question(1);
  });
});

describe("leaving without a change", () => {
  it.each(["a closing page", "a hidden page"])("as %s records the view, once", async (way) => {
    const harness = new AssignmentsPageHarness();
    await harness.open();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    if (way === "a hidden page") vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event("pagehide"));
    await waitFor(() => expect(harness.events(1)).toEqual(["opened"]));
    expect(harness.saved(1).active_ms).toBeGreaterThanOrEqual(1000);
    expect(harness.result(1)).toBe("untouched");
    vi.restoreAllMocks();
  });
});
