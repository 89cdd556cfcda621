import { describe, expect, it, vi } from "vitest";
import { FakePage } from "@/test/offline/page";
import { held, idle, ids, ONE, open, pages, phase, sent, server, THREE, TWO } from "@/test/offline/scene";
import { inMemory } from "./memory";

describe("whose session it is", () => {
  it("waits for her when the session ran out, and goes on by itself", async () => {
    const page = await open();
    await page.change("q1", ONE);
    await sent(page);
    server.signOut();
    await page.change("q1", TWO);
    await phase(page, "signed_out");
    const before = server.attempts.length;
    await page.change("q1", THREE);
    await page.engine.sendNow();
    expect(server.attempts).toHaveLength(before);
    server.signIn("her");
    await page.engine.sendNow();
    await sent(page);
    expect(server.of("q1").told.ranking).toEqual(THREE);
  });

  it("sends nothing of hers while another account is signed in", async () => {
    server.signIn("colleague");
    const page = await open();
    await page.change("q1", ONE, "submit");
    await phase(page, "other_account");
    expect(server.attempts).toEqual([]);
    expect(page.engine.state.changes).toBe(1);
  });

  it("notices a sign-in in another tab before the next write leaves", async () => {
    const page = await open();
    await page.change("q1", ONE);
    await sent(page);
    server.signIn("colleague");
    await page.change("q1", TWO);
    await phase(page, "other_account");
    expect(server.attempts.filter(({ as }) => as === "colleague")).toEqual([]);
  });

  it("shows and sends another person nothing of what she kept here", async () => {
    server.fault = () => "down";
    const page = await open();
    await page.change("q1", ONE);
    page.engine.stop();
    server.signIn("colleague");
    server.fault = () => "none";
    const other = await open("colleague");
    await idle(other);
    expect(other.engine.state.queue).toEqual([]);
    expect(server.attempts).toEqual([]);
    server.signIn("her");
    await open();
    await vi.waitFor(() => expect(server.of("q1").told.ranking).toEqual(ONE));
  });
});

describe("an answer of no", () => {
  it("keeps what is not hers to send, tries twice and no more, and once again on a new page", async () => {
    server.assign("theirs", "colleague");
    const page = await open();
    await page.change("theirs", ONE);
    await held(page, "not_yours");
    await page.engine.sendNow();
    await page.engine.sendNow();
    expect(server.attempts).toHaveLength(2);
    page.engine.stop();
    server.assign("theirs", "her");
    await open();
    await vi.waitFor(() => expect(server.of("theirs").told.ranking).toEqual(ONE));
  });

  it("goes on with other questions while one is held", async () => {
    server.assign("theirs", "colleague");
    const page = await open();
    await page.change("theirs", ONE);
    await page.change("q2", ONE);
    await vi.waitFor(() => expect(server.of("q2").told.ranking).toEqual(ONE));
    await held(page, "not_yours");
  });

  it("holds an answer to a closed study, with the server's sentence", async () => {
    const page = await open();
    server.isClosed = true;
    await page.change("q1", ONE);
    await held(page, "closed");
    expect(page.engine.state.queue[0]?.hold).toMatchObject({ sentence: "The server says study_closed." });
    server.isClosed = false;
    await page.engine.tryAgain("q1");
    await sent(page);
  });

  it("lets a change take the place of what was refused", async () => {
    const page = await open();
    server.refuses = ({ comment }) => comment === "too long";
    await page.change("q1", ONE, "submit", { comment: "too long" });
    await held(page, "refused");
    await page.change("q1", ONE, "save", { comment: "short" });
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ comment: "short", state: "draft" });
    expect(server.of("q1").revisions).toEqual([]);
    expect(ids(server.of("q1").events)).toEqual(ids(page.told.get("q1") ?? []));
  });
});

describe("an answer that was changed elsewhere", () => {
  async function parted(mine = ONE, theirs = TWO): Promise<FakePage> {
    const phone = new FakePage(inMemory());
    pages.push(phone);
    await phone.change("q1", theirs);
    await sent(phone);
    phone.engine.stop();
    const page = await open();
    page.versions.clear();
    await page.change("q1", mine);
    return page;
  }

  it("is held with both versions, and stays held over a reload and through further changes", async () => {
    const page = await parted();
    await held(page, "conflict");
    await page.change("q1", THREE);
    page.engine.stop();
    const next = await open();
    await held(next, "conflict");
    expect(next.engine.state.queue[0]).toMatchObject({ write: { ranking: THREE }, hold: { current: { ranking: TWO } } });
    expect(server.of("q1").told.ranking).toEqual(TWO);
  });

  it("becomes hers when she keeps hers", async () => {
    const page = await parted();
    await held(page, "conflict");
    await page.engine.keepMine("q1");
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ ranking: ONE, version: 2 });
  });

  it("stays as saved when she takes that, and what she did is still recorded", async () => {
    const page = await parted();
    await held(page, "conflict");
    const why = page.engine.state.queue[0]?.hold;
    if (why?.kind !== "conflict") throw new Error("Not in conflict.");
    await page.engine.takeSaved("q1", why.current);
    await sent(page);
    expect(server.of("q1").told.ranking).toEqual(TWO);
    expect(ids(server.of("q1").events)).toEqual(expect.arrayContaining(ids(page.told.get("q1") ?? [])));
  });

  it("is no conflict where both are the same", async () => {
    const page = await parted(TWO, TWO);
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, version: 2 });
    expect(ids(server.of("q1").events)).toEqual(expect.arrayContaining(ids(page.told.get("q1") ?? [])));
  });
});
