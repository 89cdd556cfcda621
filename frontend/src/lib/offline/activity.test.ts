import { describe, expect, it, vi } from "vitest";
import { makeEntry } from "@/test/offline/fakePage";
import {
  changeOnOtherDevice,
  entryIds,
  failNextWrites,
  ONE,
  openPage,
  pages,
  server,
  setUpOfflineHarness,
  TWO,
  waitForPhase,
  waitUntilBlocked,
  waitUntilSent,
} from "@/test/offline/harness";

setUpOfflineHarness();

const opened = makeEntry("link_opened");

describe("activity", () => {
  it("keeps the answer that another tab has changed since", async () => {
    const page = await openPage();
    const other = await openPage();
    await page.change("q1", ONE);
    await other.recordActivity("q1", [opened], 7000);
    await waitUntilSent(page);
    await waitUntilSent(other);
    expect(server.of("q1").response).toMatchObject({ payload: { ranking: ONE }, status: "draft", version: 1, active_ms: 7100 });
    expect(entryIds(server.of("q1").entries)).toContain(opened.id);
  });

  it("at an answer that was changed elsewhere is no conflict", async () => {
    const page = await openPage();
    await changeOnOtherDevice(TWO, "changed");
    await page.recordActivity("q1", [opened], 2000);
    await waitUntilSent(page);
    expect(server.of("q1").response).toMatchObject({ payload: { ranking: TWO }, outcome: "changed", version: 1, active_ms: 2100 });
  });

  it("hides no conflict of the change beside it", async () => {
    const page = await openPage();
    await changeOnOtherDevice(TWO);
    await page.recordActivity("q1", [opened], 2000);
    page.versions.clear();
    await page.change("q1", ONE);
    await waitUntilBlocked(page, "conflict");
    expect(server.ranking("q1")).toEqual(TWO);
    await vi.waitFor(() => expect(page.engine.state.activity).toEqual([]));
  });

  it("that the server rejects is dropped: nothing has to be decided", async () => {
    const page = await openPage();
    server.isClosed = true;
    await page.recordActivity("q1", [opened], 1500);
    await waitUntilSent(page);
    expect(server.activityRequests).toHaveLength(1);
  });

  it("of a question that is no longer assigned is tried twice and dropped", async () => {
    server.assign("theirs", "colleague");
    const page = await openPage();
    await page.recordActivity("theirs", [opened], 1500);
    await waitUntilSent(page);
    expect(server.activityRequests).toHaveLength(2);
  });

  it("of a question with a conflict of interest is not sent: it has no log any more", async () => {
    const page = await openPage();
    await page.change("q1", ONE, "skip", { conflict: "My own paper." });
    await waitUntilSent(page);
    await page.recordActivity("q1", [opened], 1500);
    await page.recordFinalActivity("q1", [makeEntry("opened")], 500);
    await page.recordActivity("q2", [opened], 10);
    await waitUntilSent(page);
    expect(server.of("q1").response.status).toBe("skipped");
    expect(server.activityRequests.map(({ assignment }) => assignment)).toEqual(["q2"]);
  });

  it("of a question whose conflict of interest the server refused is sent", async () => {
    server.rejects = ({ conflict }) => Boolean(conflict);
    const page = await openPage();
    await page.change("q1", ONE, "skip", { conflict: "My own paper." });
    await waitUntilBlocked(page, "refused");
    await vi.waitFor(() => expect(server.activityRequests).toHaveLength(1));
  });

  it("goes in one request for each question, also after a reload", async () => {
    server.signOut();
    const page = await openPage();
    const entries = [makeEntry("opened"), makeEntry("moved"), makeEntry("tied")];
    for (const entry of entries) await page.recordActivity("q1", [entry], 10);
    await page.recordActivity("q2", [opened], 10);
    page.engine.stop();
    server.signIn("expert");
    const next = await openPage();
    await next.started;
    await waitUntilSent(next);
    expect(server.activityRequests.filter(({ account }) => account).map(({ body }) => body.entries.length)).toEqual([3, 1]);
    expect(server.of("q1").response.active_ms).toBe(30);
  });

  it("is recorded once, in whatever order and however often it is sent", async () => {
    server.failureFor = (path) => (path.endsWith("/activity") ? "lost" : "none");
    const page = await openPage();
    await page.recordActivity("q1", [opened], 1500);
    await waitForPhase(page, "retrying");
    server.failureFor = () => "none";
    await page.engine.sendNow();
    await waitUntilSent(page);
    expect(server.activityRequests.length).toBeGreaterThan(1);
    expect(entryIds(server.of("q1").entries)).toEqual([opened.id]);
    expect(server.of("q1").response.active_ms).toBe(1500);
  });

  it("counts as no unsent change", async () => {
    server.signOut();
    const page = await openPage();
    await page.recordActivity("q1", [opened], 1500);
    expect(page.engine.state).toMatchObject({ changes: 0, queue: [] });
    expect(page.engine.hasUnsent).toBe(true);
  });

  it("includes the time of an answer that is dropped for the saved one", async () => {
    const page = await openPage();
    await changeOnOtherDevice(TWO, "changed");
    await page.change("q1", ONE, "save", { activeMs: 900 });
    await waitUntilBlocked(page, "conflict");
    const { response } = server.of("q1");
    await page.engine.acceptServerAnswer("q1", response);
    await waitUntilSent(page);
    expect(server.of("q1").response).toMatchObject({ payload: { ranking: TWO }, version: 1, active_ms: 1000 });
    expect(server.of("q1").entries.map(({ kind }) => kind)).toContain("active");
  });
});

describe("activity of a page that closes", () => {
  const viewed = makeEntry("opened");

  it("is sent before anything is awaited", async () => {
    const page = await openPage();
    await page.started;
    void page.recordFinalActivity("q1", [viewed], 1500);
    page.engine.stop();
    await vi.waitFor(() => expect(entryIds(server.of("q1").entries)).toEqual([viewed.id]));
    expect(server.of("q1").response).toMatchObject({ active_ms: 1500, status: "untouched" });
  });

  it("is stored, not sent, once another account has signed in", async () => {
    const page = await openPage();
    await page.started;
    server.signIn("colleague");
    await page.recordFinalActivity("q1", [viewed], 1500);
    expect(server.activityRequests).toEqual([]);
    expect(page.engine.state.activity).toHaveLength(1);
  });

  it("is recorded once, though the page gets no answer and the next page sends it again", async () => {
    const page = await openPage();
    await page.started;
    server.failureFor = (path) => (path.endsWith("/activity") ? "lost" : "none");
    void page.recordFinalActivity("q1", [viewed], 1500);
    await vi.waitFor(() => expect(page.engine.state.activity).toHaveLength(1));
    page.engine.stop();
    server.failureFor = () => "none";
    const next = await openPage();
    await next.started;
    await waitUntilSent(next);
    expect(server.activityRequests.length).toBeGreaterThan(1);
    expect(server.of("q1").response.active_ms).toBe(1500);
    expect(entryIds(server.of("q1").entries)).toEqual([viewed.id]);
  });

  it("leaves the change that waits as it is", async () => {
    const page = await openPage();
    server.failureFor = (path) => (path.endsWith("/response") ? "down" : "none");
    await page.change("q1", ONE);
    await page.recordFinalActivity("q1", [viewed], 1500);
    await page.change("q1", TWO);
    server.failureFor = () => "none";
    await page.engine.sendNow();
    await waitUntilSent(page);
    expect(server.of("q1").response).toMatchObject({ payload: { ranking: TWO }, active_ms: 1700 });
  });

  it("waits on the device while the account is signed out", async () => {
    const page = await openPage();
    server.signOut();
    await page.change("q2", ONE);
    await waitForPhase(page, "signed_out");
    server.activityRequests.splice(0);
    await page.recordFinalActivity("q1", [viewed], 1500);
    expect(server.activityRequests).toEqual([]);
    server.signIn("expert");
    await page.engine.sendNow();
    await waitUntilSent(page);
    expect(server.of("q1").response.active_ms).toBe(1500);
  });

  it.each([1, 2])("includes once the time of an answer that was not needed, in %i tabs that send it", async (tabs) => {
    const [page] = [await openPage(), ...(tabs === 2 ? [await openPage()] : [])];
    await changeOnOtherDevice(ONE);
    failNextWrites("broken", "broken");
    await page.change("q1", ONE, "save", { activeMs: 900 });
    await Promise.all(pages.map((one) => one.engine.sendNow()));
    await waitUntilSent(page);
    expect(server.of("q1").response).toMatchObject({ payload: { ranking: ONE }, version: 1, active_ms: 1000 });
  });
});
