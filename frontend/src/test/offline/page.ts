/** A page that ranks, without its looks: what useAnswer does with the engine. */
import type { Action, Ranking, Response, ResponseEvent } from "@/api/contract";
import { openKept, type Kept } from "@/lib/offline/database";
import { SyncEngine } from "@/lib/offline/engine";
import type { Timing } from "@/lib/offline/timing";
import { uuid } from "@/lib/uuid";
import { PRIOR } from "./fakeServer";

export const QUICK: Timing = {
  quietMs: 1,
  atMostMs: 5,
  othersMs: 5,
  answerMs: 5_000,
  backoff: (failures) => Math.min(failures, 3),
};

export class FakePage {
  readonly engine: SyncEngine;
  readonly versions = new Map<string, number>();
  readonly told = new Map<string, ResponseEvent[]>();
  /** Over once it knows who she is and has tried to send what waited. */
  started: Promise<void> = Promise.resolve();

  constructor(kept: Kept, account = "her", timing: Timing = QUICK) {
    this.engine = new SyncEngine(account, kept, timing);
    this.engine.listen(({ assignment, response }) => {
      if (response) this.versions.set(assignment, Math.max(response.version, this.versions.get(assignment) ?? 0));
    });
  }

  /** As a page that is opened: what the device knows, then what waits is sent. */
  static async open(account = "her", timing: Timing = QUICK): Promise<FakePage> {
    const kept = await openKept();
    const page = new FakePage(kept, account, timing);
    for (const { assignment, response } of await kept.responses(account)) page.versions.set(assignment, response.version);
    page.started = page.engine.start();
    return page;
  }

  async change(assignment: string, ranking: Ranking, action: Action = "save", more: Partial<Change> = {}) {
    const events = more.events ?? [eventOf(action === "save" ? "moved" : "submitted")];
    this.told.set(assignment, [...(this.told.get(assignment) ?? []), ...events]);
    await this.engine.add({
      id: uuid(),
      assignment,
      batch: "batch",
      queuedAt: new Date().toISOString(),
      write: {
        version: this.versions.get(assignment) ?? 0,
        action,
        ranking,
        confidence: null,
        reasons: [],
        comment: more.comment ?? "",
        unsure_reason: "",
        active_ms: more.activeMs ?? 100,
        events,
        interface: "rank-1",
      },
    });
    return events;
  }

  /** As a page that shows an old answer, and has not drawn what the device knows since. */
  async look(assignment: string, events: ResponseEvent[], activeMs: number, shown: Response) {
    await this.engine.look(lookAt(assignment, events, activeMs), shown);
  }

  /** As the page closes. */
  async lookLast(assignment: string, events: ResponseEvent[], activeMs: number, shown: Response) {
    await this.engine.lookLast(lookAt(assignment, events, activeMs), shown);
  }
}

function lookAt(assignment: string, events: ResponseEvent[], activeMs: number) {
  const write = { active_ms: activeMs, events, interface: "rank-1" };
  return { id: uuid(), assignment, batch: "batch", queuedAt: new Date().toISOString(), write };
}

interface Change {
  events: ResponseEvent[];
  comment: string;
  activeMs: number;
}

export function eventOf(kind: ResponseEvent["kind"]): ResponseEvent {
  return { id: uuid(), kind, old: PRIOR, new: PRIOR, at: "2026-01-01T00:00:00.000Z" };
}

export const ORDERS: Ranking[] = [
  [["b"], ["a"], ["c"]],
  [["c"], ["a", "b"]],
  [["c"], ["b"], ["a"]],
  [["b", "c"], ["a"]],
  [["a"], ["c"], ["b"]],
];
