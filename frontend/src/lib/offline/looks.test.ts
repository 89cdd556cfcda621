import { describe, expect, it, vi } from "vitest";
import { type Fault } from "@/test/offline/fakeServer";
import { eventOf } from "@/test/offline/page";
import { elsewhere, held, ids, ONE, open, phase, sent, server, TWO } from "@/test/offline/scene";

describe("looking", () => {
  const opened = eventOf("link_opened");

  it("keeps the answer that another tab has changed since", async () => {
    const mine = await open();
    const beside = await open();
    const shown = server.of("q1").told;
    await mine.change("q1", ONE);
    await beside.look("q1", [opened], 7000, shown);
    await sent(mine);
    await sent(beside);
    expect(server.of("q1").told).toMatchObject({ ranking: ONE, state: "draft", version: 1, active_ms: 7100 });
    expect(ids(server.of("q1").events)).toContain(opened.id);
  });

  it("at an answer that was changed elsewhere is no conflict, and the page hears of that answer", async () => {
    const device = await open();
    const shown = server.of("q1").told;
    await elsewhere(TWO, "submit");
    await device.look("q1", [opened], 2000, shown);
    await sent(device);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, state: "changed", version: 1, active_ms: 2100 });
    expect(device.versions.get("q1")).toBe(1);
  });

  it("hides no conflict of the change that waits behind it", async () => {
    const device = await open();
    const shown = server.of("q1").told;
    await elsewhere(TWO);
    const lost = ["lost", "none"] as Fault[];
    server.fault = (path) => (path.endsWith("/looks") ? (lost.shift() ?? "none") : "none");
    await device.look("q1", [opened], 2000, shown);
    await vi.waitFor(() => expect(server.of("q1").events).toHaveLength(2));
    device.versions.clear();
    await device.change("q1", ONE);
    await held(device, "conflict");
    expect(server.of("q1").told.ranking).toEqual(TWO);
  });

  it("from a closing page whose answer was lost is counted once, though the change before it has to be sent anew", async () => {
    const page = await open();
    await elsewhere(ONE);
    server.fault = (path) => (path.endsWith("/response") ? "down" : path.endsWith("/looks") ? "lost" : "none");
    await page.change("q1", ONE);
    await phase(page, "retrying");
    const before = server.of("q1").told.active_ms;
    void page.lookLast("q1", [opened], 1500, server.of("q1").told);
    await vi.waitFor(() => expect(page.engine.state.queue).toHaveLength(2));
    await vi.waitFor(() => expect(server.of("q1").told.active_ms).toBe(before + 1500));
    page.engine.stop();
    server.fault = () => "none";
    const next = await open();
    await next.started;
    await sent(next);
    expect(server.of("q1").told.active_ms).toBe(before + 1500 + 100);
  });

  it("that the server refuses leaves nothing to decide about", async () => {
    const page = await open();
    server.isClosed = true;
    await page.lookLast("q1", [opened], 1500, server.of("q1").told);
    await sent(page);
    expect(page.engine.state.queue).toEqual([]);
  });

  it("does not make a page forget the version that its own write made", async () => {
    const page = await open();
    await page.change("q1", ONE);
    await sent(page);
    await page.look("q1", [opened], 2000, server.of("q1").told);
    await sent(page);
    page.versions.clear();
    await page.change("q1", TWO);
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, version: 2 });
  });

  it("that waits goes with the change that follows it, in one write", async () => {
    const page = await open();
    server.signOut();
    await page.look("q1", [opened], 2000, server.of("q1").told);
    await page.change("q1", ONE, "submit");
    server.signIn("her");
    await page.engine.sendNow();
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ version: 1, active_ms: 2100, ranking: ONE });
  });

  it("after the saved answer was taken leaves it as it is", async () => {
    const device = await open();
    await elsewhere(TWO, "submit");
    await device.change("q1", ONE);
    await held(device, "conflict");
    const { told } = server.of("q1");
    await device.engine.takeSaved("q1", told);
    await device.look("q1", [opened], 1500, { ...told, ranking: ONE, version: 0 });
    await sent(device);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, state: "changed", version: 1 });
  });
});

describe("looking once more from a page that closes", () => {
  const opened = eventOf("opened");

  it("is sent before anything is waited for", async () => {
    const page = await open();
    await page.started;
    void page.lookLast("q1", [opened], 1500, server.of("q1").told);
    page.engine.stop();
    await vi.waitFor(() => expect(ids(server.of("q1").events)).toEqual([opened.id]));
    expect(server.of("q1").told).toMatchObject({ active_ms: 1500, state: "untouched" });
  });

  it("is kept, not sent, once somebody else signed in here", async () => {
    const page = await open();
    await page.started;
    server.signIn("him");
    await page.lookLast("q1", [opened], 1500, server.of("q1").told);
    expect(server.attempts).toEqual([]);
    expect(page.engine.state.queue).toHaveLength(1);
  });

  it("is recorded once, though the page learns of no answer and the next one sends it again", async () => {
    const page = await open();
    await page.started;
    server.fault = (path) => (path.endsWith("/looks") ? "lost" : "none");
    void page.lookLast("q1", [opened], 1500, server.of("q1").told);
    await vi.waitFor(() => expect(page.engine.state.queue).toHaveLength(1));
    page.engine.stop();
    server.fault = () => "none";
    await sent(await open());
    expect(server.attempts.length).toBeGreaterThan(1);
    expect(new Set(server.attempts.map(({ key }) => key)).size).toBe(1);
    expect(server.of("q1").told.active_ms).toBe(1500);
    expect(ids(server.of("q1").events)).toEqual([opened.id]);
  });

  it("leaves the change that waits as it is, and goes into no other", async () => {
    const page = await open();
    server.fault = (path) => (path.endsWith("/response") ? "down" : "none");
    await page.change("q1", ONE);
    await page.lookLast("q1", [opened], 1500, server.of("q1").told);
    await page.change("q1", TWO);
    server.fault = () => "none";
    await page.engine.sendNow();
    await sent(page);
    expect(server.of("q1").told).toMatchObject({ ranking: TWO, active_ms: 1700 });
  });

  it("waits on the device while she is signed out", async () => {
    const page = await open();
    server.signOut();
    await page.change("q2", ONE);
    await phase(page, "signed_out");
    server.attempts.splice(0);
    await page.lookLast("q1", [opened], 1500, server.of("q1").told);
    expect(server.attempts).toEqual([]);
    server.signIn("her");
    await page.engine.sendNow();
    await sent(page);
    expect(server.of("q1").told.active_ms).toBe(1500);
  });
});
