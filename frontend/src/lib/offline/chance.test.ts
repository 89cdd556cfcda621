/** Whatever goes wrong, in whatever order: in the end the server has what she did, each thing once. */
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ranking, Response } from "@/api/contract";
import { FakeServer, type Fault } from "@/test/offline/fakeServer";
import { locksForTabs } from "@/test/offline/locks";
import { eventOf, FakePage, ORDERS } from "@/test/offline/page";
import { oneOf, seeded } from "@/test/offline/random";

const FAULTS: Fault[] = ["none", "none", "down", "lost", "cut", "broken", "busy", "late broken"];
const QUESTIONS = ["q1", "q2", "q3"];
const STEPS = 40;

/** What she did, as she would tell it. */
class Diary {
  readonly last = new Map<string, Ranking>();
  readonly submitted = new Map<string, Ranking[]>();
  readonly events = new Map<string, string[]>();
  readonly time = new Map<string, number>();

  note(question: string, ranking: Ranking, isSubmission: boolean, event: string, ms: number): void {
    this.last.set(question, ranking);
    if (isSubmission) this.submitted.set(question, [...(this.submitted.get(question) ?? []), ranking]);
    this.see(question, event, ms);
  }

  see(question: string, event: string, ms: number): void {
    this.events.set(question, [...(this.events.get(question) ?? []), event]);
    this.time.set(question, (this.time.get(question) ?? 0) + ms);
  }
}

class Trial {
  readonly server = new FakeServer();
  readonly diary = new Diary();
  readonly locks = locksForTabs();
  readonly tabs: FakePage[] = [];
  readonly first: Response;
  conflicts = 0;

  constructor(
    private readonly chance: () => number,
    private readonly tabCount: number,
    hasLocks: boolean,
  ) {
    vi.stubGlobal("indexedDB", new IDBFactory());
    vi.stubGlobal("fetch", this.server.fetch);
    if (hasLocks) vi.stubGlobal("navigator", { onLine: true, locks: this.locks });
    for (const question of QUESTIONS) this.server.assign(question);
    this.first = this.server.of("q1").told;
    this.server.fault = () => oneOf(FAULTS, chance);
  }

  async run(): Promise<void> {
    await this.openTabs();
    for (let step = 0; step < STEPS; step += 1) await this.step();
    this.server.fault = () => "none";
    this.server.signIn("her");
    await this.drained();
  }

  async openTabs(): Promise<void> {
    for (let count = 0; count < this.tabCount; count += 1) this.tabs.push(await FakePage.open());
  }

  private async step(): Promise<void> {
    const kind = this.chance();
    if (kind < 0.45) await this.answer(kind < 0.12);
    else if (kind < 0.55) await this.look();
    else if (kind < 0.7) await rest(Math.floor(this.chance() * 8));
    else if (kind < 0.78) void oneOf(this.tabs, this.chance).engine.sendNow();
    else if (kind < 0.84) this.server.signOut();
    else if (kind < 0.88) this.server.signIn("colleague");
    else if (kind < 0.95) this.backAgain();
    else await this.closeAll();
  }

  private async answer(isSubmission: boolean): Promise<void> {
    const [question, ranking] = [oneOf(QUESTIONS, this.chance), oneOf(ORDERS, this.chance)];
    const event = eventOf(isSubmission ? "submitted" : "moved");
    const activeMs = Math.floor(this.chance() * 1000);
    this.diary.note(question, ranking, isSubmission, event.id, activeMs);
    const tab = oneOf(this.tabs, this.chance);
    await tab.change(question, ranking, isSubmission ? "submit" : "save", { events: [event], activeMs });
    if (this.tabCount > 1) await rest(2);
  }

  /** A page that still shows the question as it was first: what it looks at is nobody's answer. */
  private async look(): Promise<void> {
    const question = oneOf(QUESTIONS, this.chance);
    const event = eventOf("link_opened");
    const activeMs = Math.floor(this.chance() * 1000);
    this.diary.see(question, event.id, activeMs);
    await oneOf(this.tabs, this.chance).look(question, [event], activeMs, this.first);
    if (this.tabCount > 1) await rest(2);
  }

  private backAgain(): void {
    this.server.signIn("her");
    for (const tab of this.tabs) {
      tab.engine.doubt();
      void tab.engine.sendNow();
    }
  }

  /** The browser is killed: what was asked gets no answer here, whether or not it arrived. */
  private async closeAll(): Promise<void> {
    for (const tab of this.tabs.splice(0)) tab.engine.stop();
    this.server.forgetPages();
    this.locks.releaseAll();
    await this.openTabs();
  }

  private async drained(): Promise<void> {
    await vi.waitFor(
      async () => {
        await this.keepMine();
        await Promise.all(this.tabs.map((tab) => tab.engine.sendNow()));
        for (const tab of this.tabs) expect(tab.engine.state.queue).toEqual([]);
      },
      { timeout: 10_000, interval: 5 },
    );
  }

  private async keepMine(): Promise<void> {
    const [tab] = this.tabs;
    const parted = (tab?.engine.state.queue ?? []).filter((item) => item.hold?.kind === "conflict");
    this.conflicts += parted.length;
    for (const { assignment } of parted) await tab?.engine.keepMine(assignment);
  }

  check(): void {
    for (const question of QUESTIONS) {
      const { told, revisions, events } = this.server.of(question);
      const last = this.diary.last.get(question);
      if (last) expect(told.ranking).toEqual(last);
      expect(revisions.map(({ ranking }) => ranking)).toEqual(this.diary.submitted.get(question) ?? []);
      expect(events.map(({ id }) => id)).toEqual(this.diary.events.get(question) ?? []);
      expect(told.active_ms).toBe(this.diary.time.get(question) ?? 0);
    }
    expect(this.server.attempts.filter(({ as }) => as === "colleague")).toEqual([]);
    if (this.tabCount === 1) expect(this.conflicts).toBe(0);
  }

  end(): void {
    for (const tab of this.tabs) tab.engine.stop();
  }
}

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let trial: Trial | null = null;

beforeEach(() => {
  trial = null;
});

afterEach(() => {
  trial?.end();
  vi.unstubAllGlobals();
});

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.each([
  { name: "one tab", tabs: 1, locks: true },
  { name: "one tab without locks", tabs: 1, locks: false },
  { name: "two tabs", tabs: 2, locks: true },
  { name: "two tabs without locks", tabs: 2, locks: false },
])("$name", ({ tabs, locks }) => {
  it.each(seeds(12))("loses and doubles nothing (seed %i)", async (seed) => {
    trial = new Trial(seeded(seed), tabs, locks);
    await trial.run();
    trial.check();
  });
});
