import { describe, expect, it, vi } from "vitest";
import { FakePage } from "@/test/offline/fakePage";
import {
  setUpOfflineHarness,
  waitUntilBlocked,
  waitUntilIdle,
  entryIds,
  ONE,
  openPage,
  pages,
  waitForPhase,
  waitUntilSent,
  server,
  THREE,
  TWO,
} from "@/test/offline/harness";
import { createMemoryStore } from "./memoryStore";

setUpOfflineHarness();

describe("whose session it is", () => {
  it("waits when the session expires, and continues by itself", async () => {
    const page = await openPage();
    await page.change("q1", ONE);
    await waitUntilSent(page);
    server.signOut();
    await page.change("q1", TWO);
    await waitForPhase(page, "signed_out");
    const before = server.attempts.length;
    await page.change("q1", THREE);
    await page.engine.sendNow();
    expect(server.attempts).toHaveLength(before);
    server.signIn("expert");
    await page.engine.sendNow();
    await waitUntilSent(page);
    expect(server.ranking("q1")).toEqual(THREE);
  });

  it("sends nothing while another account is signed in", async () => {
    server.signIn("colleague");
    const page = await openPage();
    await page.change("q1", ONE, "changed");
    await waitForPhase(page, "other_account");
    expect(server.attempts).toEqual([]);
    expect(page.engine.state.changes).toBe(1);
  });

  it("notices a sign-in in another tab before the next write leaves", async () => {
    const page = await openPage();
    await page.change("q1", ONE);
    await waitUntilSent(page);
    server.signIn("colleague");
    await page.change("q1", TWO);
    await waitForPhase(page, "other_account");
    expect(server.attempts.filter(({ account }) => account === "colleague")).toEqual([]);
  });

  it("shows and sends nothing of one account for another", async () => {
    server.failureFor = () => "down";
    const page = await openPage();
    await page.change("q1", ONE);
    page.engine.stop();
    server.signIn("colleague");
    server.failureFor = () => "none";
    const other = await openPage("colleague");
    await waitUntilIdle(other);
    expect(other.engine.state.queue).toEqual([]);
    expect(server.attempts).toEqual([]);
    server.signIn("expert");
    await openPage();
    await vi.waitFor(() => expect(server.ranking("q1")).toEqual(ONE));
  });
});

describe("an answer of no", () => {
  it("keeps what another account must send, tries twice and no more, and once again on a new page", async () => {
    server.assign("theirs", "colleague");
    const page = await openPage();
    await page.change("theirs", ONE);
    await waitUntilBlocked(page, "forbidden");
    await page.engine.sendNow();
    await page.engine.sendNow();
    expect(server.attempts).toHaveLength(2);
    page.engine.stop();
    server.assign("theirs", "expert");
    await openPage();
    await vi.waitFor(() => expect(server.ranking("theirs")).toEqual(ONE));
  });

  it("goes on with other questions while one is held", async () => {
    server.assign("theirs", "colleague");
    const page = await openPage();
    await page.change("theirs", ONE);
    await page.change("q2", ONE);
    await vi.waitFor(() => expect(server.ranking("q2")).toEqual(ONE));
    await waitUntilBlocked(page, "forbidden");
  });

  it("holds an answer to a closed study, with the server's sentence", async () => {
    const page = await openPage();
    server.isClosed = true;
    await page.change("q1", ONE);
    await waitUntilBlocked(page, "closed");
    expect(page.engine.state.queue[0]?.blocked).toMatchObject({ message: "The server says study_closed." });
    server.isClosed = false;
    await page.engine.retry("q1");
    await waitUntilSent(page);
  });

  it("sends an answer to a paused study by itself once it is open again", async () => {
    const page = await openPage();
    server.isPaused = true;
    await page.change("q1", ONE, "changed");
    await waitUntilBlocked(page, "paused");
    await page.change("q1", TWO);
    server.isPaused = false;
    await waitUntilSent(page);
    expect(server.of("q1").revisions).toEqual([{ outcome: "changed", ranking: ONE }]);
    expect(server.ranking("q1")).toEqual(TWO);
  });

  it("lets a change take the place of what was refused", async () => {
    const page = await openPage();
    server.rejects = ({ payload }) => payload.comment === "too long";
    await page.change("q1", ONE, "changed", { payload: { comment: "too long" } });
    await waitUntilBlocked(page, "refused");
    await page.change("q1", ONE, "save", { payload: { comment: "short" } });
    await waitUntilSent(page);
    expect(server.of("q1").response).toMatchObject({ payload: { comment: "short" }, status: "draft" });
    expect(server.of("q1").revisions).toEqual([]);
    expect(entryIds(server.of("q1").entries)).toEqual(entryIds(page.recorded.get("q1") ?? []));
  });
});

describe("an answer that was changed elsewhere", () => {
  async function parted(mine = ONE, theirs = TWO): Promise<FakePage> {
    const phone = new FakePage(createMemoryStore());
    pages.push(phone);
    await phone.change("q1", theirs);
    await waitUntilSent(phone);
    phone.engine.stop();
    const page = await openPage();
    page.versions.clear();
    await page.change("q1", mine);
    return page;
  }

  it("is held with both versions, and stays held over a reload and through further changes", async () => {
    const page = await parted();
    await waitUntilBlocked(page, "conflict");
    await page.change("q1", THREE);
    page.engine.stop();
    const next = await openPage();
    await waitUntilBlocked(next, "conflict");
    expect(next.engine.state.queue[0]).toMatchObject({ write: { payload: { ranking: THREE } }, blocked: { current: { payload: { ranking: TWO } } } });
    expect(server.ranking("q1")).toEqual(TWO);
  });

  it("is replaced by the local answer when that is kept", async () => {
    const page = await parted();
    await waitUntilBlocked(page, "conflict");
    await page.engine.keepLocalAnswer("q1");
    await waitUntilSent(page);
    expect(server.of("q1").response).toMatchObject({ payload: { ranking: ONE }, version: 2 });
  });

  it("stays as saved when that is accepted, and the activity is still recorded", async () => {
    const page = await parted();
    await waitUntilBlocked(page, "conflict");
    const why = page.engine.state.queue[0]?.blocked;
    if (why?.kind !== "conflict") throw new Error("Not in conflict.");
    await page.engine.acceptServerAnswer("q1", why.current);
    await waitUntilSent(page);
    expect(server.ranking("q1")).toEqual(TWO);
    expect(entryIds(server.of("q1").entries)).toEqual(expect.arrayContaining(entryIds(page.recorded.get("q1") ?? [])));
  });

  it("declares a conflict of interest although the server has a skip of the same answer", async () => {
    const phone = await openPage();
    await phone.change("q1", ONE, "skip");
    await waitUntilSent(phone);
    const page = await openPage();
    page.versions.clear();
    await page.change("q1", ONE, "skip", { conflict: "My own paper." });
    await waitUntilSent(page);
    expect(server.attempts.at(-1)?.body).toMatchObject({ version: 1, conflict: "My own paper." });
    expect(server.of("q1").response.version).toBe(2);
  });

  it("is no conflict where both are the same", async () => {
    const page = await parted(TWO, TWO);
    await waitUntilSent(page);
    expect(server.of("q1").response).toMatchObject({ payload: { ranking: TWO }, version: 1, active_ms: 200 });
    expect(entryIds(server.of("q1").entries)).toEqual(expect.arrayContaining(entryIds(page.recorded.get("q1") ?? [])));
  });
});
