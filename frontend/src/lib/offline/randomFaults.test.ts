/** Whatever fails, in whatever order: in the end the server has every change and every entry once. */
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ranking } from "@/study-kinds/ranking/board/rankingModel";
import { FakeServer, type FailureMode } from "@/test/offline/fakeServer";
import { fakeLocks } from "@/test/offline/fakeLocks";
import { makeEntry, FakePage, RANKINGS } from "@/test/offline/fakePage";
import { pickOne, seededRandom } from "@/test/offline/seededRandom";

const FAULTS: FailureMode[] = ["none", "none", "down", "lost", "cut", "broken", "busy", "late broken"];
const QUESTIONS = ["q1", "q2", "q3"];
const STEPS = 40;

/** What was done, for comparison with what the server has in the end. */
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
  readonly locks = fakeLocks();
  readonly tabs: FakePage[] = [];
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
    this.server.failureFor = () => pickOne(FAULTS, chance);
  }

  async run(): Promise<void> {
    await this.openTabs();
    for (let step = 0; step < STEPS; step += 1) await this.step();
    this.server.failureFor = () => "none";
    this.server.signIn("expert");
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
    else if (kind < 0.78) void pickOne(this.tabs, this.chance).engine.sendNow();
    else if (kind < 0.84) this.server.signOut();
    else if (kind < 0.88) this.server.signIn("colleague");
    else if (kind < 0.95) this.backAgain();
    else await this.closeAll();
  }

  private async answer(isSubmission: boolean): Promise<void> {
    const [question, ranking] = [pickOne(QUESTIONS, this.chance), pickOne(RANKINGS, this.chance)];
    const event = makeEntry(isSubmission ? "submitted" : "moved");
    const activeMs = Math.floor(this.chance() * 1000);
    this.diary.note(question, ranking, isSubmission, event.id, activeMs);
    const tab = pickOne(this.tabs, this.chance);
    await tab.change(question, ranking, isSubmission ? "changed" : "save", { entries: [event], activeMs });
    if (this.tabCount > 1) await rest(2);
  }

  /** Viewing a question changes no answer. */
  private async look(): Promise<void> {
    const question = pickOne(QUESTIONS, this.chance);
    const event = makeEntry("link_opened");
    const activeMs = Math.floor(this.chance() * 1000);
    this.diary.see(question, event.id, activeMs);
    await pickOne(this.tabs, this.chance).recordActivity(question, [event], activeMs);
    if (this.tabCount > 1) await rest(2);
  }

  private backAgain(): void {
    this.server.signIn("expert");
    for (const tab of this.tabs) {
      tab.engine.invalidateSession();
      void tab.engine.sendNow();
    }
  }

  /** The browser is killed: pending requests get no answer here, whether or not they arrived. */
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
        for (const tab of this.tabs) expect(tab.engine.hasUnsent).toBe(false);
      },
      { timeout: 10_000, interval: 5 },
    );
  }

  private async keepMine(): Promise<void> {
    const [tab] = this.tabs;
    const parted = (tab?.engine.state.queue ?? []).filter((item) => item.blocked?.kind === "conflict");
    this.conflicts += parted.length;
    for (const { resource } of parted) await tab?.engine.keepLocalAnswer(resource);
  }

  check(): void {
    for (const question of QUESTIONS) {
      const { response, revisions, entries } = this.server.of(question);
      const last = this.diary.last.get(question);
      if (last) expect(response.payload.ranking).toEqual(last);
      expect(revisions.map(({ ranking }) => ranking)).toEqual(this.diary.submitted.get(question) ?? []);
      // Entries commute: they may arrive in any order. Those of time alone are of writes that were not needed.
      const recorded = entries.filter(({ kind }) => kind !== "active");
      expect(recorded.map(({ id }) => id).toSorted()).toEqual((this.diary.events.get(question) ?? []).toSorted());
      expect(response.active_ms).toBe(this.diary.time.get(question) ?? 0);
    }
    expect(this.server.attempts.filter(({ account }) => account === "colleague")).toEqual([]);
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
});

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.each([
  { name: "one tab", tabs: 1, locks: true },
  { name: "one tab without locks", tabs: 1, locks: false },
  { name: "two tabs", tabs: 2, locks: true },
  { name: "two tabs without locks", tabs: 2, locks: false },
])("$name", ({ tabs, locks }) => {
  it.each(seeds(12))("loses and doubles nothing (seed %i)", async (seed) => {
    trial = new Trial(seededRandom(seed), tabs, locks);
    await trial.run();
    trial.check();
  });
});
