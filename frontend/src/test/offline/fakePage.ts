/** A page of assignments without its view: what useAnswer does with the engine. */
import type { ActivityEntry, Payload } from "@/api/contract";
import { openStore } from "@/lib/offline/openStore";
import type { OfflineStore } from "@/lib/offline/store";
import { SyncEngine } from "@/lib/offline/syncEngine";
import type { SyncTiming } from "@/lib/offline/syncTiming";
import { uuid } from "@/lib/uuid";
import type { Ranking } from "@/study-kinds/ranking/board/rankingModel";
import { PRIOR, rankingPayload } from "./fakeServer";

export const FAST_TIMING: SyncTiming = {
  debounceMs: 1,
  maxDelayMs: 5,
  otherTabGraceMs: 5,
  requestTimeoutMs: 5_000,
  pausedRetryMs: 20,
  backoff: (failures) => Math.min(failures, 3),
};

export type Submission = "save" | "confirmed" | "changed" | "not_sure" | "skip";

interface Change {
  entries: ActivityEntry[];
  payload: Payload;
  activeMs: number;
  /** Of a skip: the conflict of interest. */
  conflict: string;
}

export class FakePage {
  readonly engine: SyncEngine;
  readonly versions = new Map<string, number>();
  readonly recorded = new Map<string, ActivityEntry[]>();
  /** Resolves once the session is verified and what waited has been tried. */
  started: Promise<void> = Promise.resolve();

  constructor(store: OfflineStore, account = "expert", timing: SyncTiming = FAST_TIMING) {
    this.engine = new SyncEngine(account, store, timing);
    this.engine.onMessage(({ resource, response }) => {
      if (response) this.versions.set(resource, Math.max(response.version, this.versions.get(resource) ?? 0));
    });
  }

  /** As a page that is opened: what the device has, then what waits is sent. */
  static async open(account = "expert", timing: SyncTiming = FAST_TIMING): Promise<FakePage> {
    const store = await openStore();
    const page = new FakePage(store, account, timing);
    for (const { resource, response } of await store.readResponses(account)) page.versions.set(resource, response.version);
    page.started = page.engine.start();
    return page;
  }

  async change(assignment: string, ranking: Ranking, submission: Submission = "save", more: Partial<Change> = {}) {
    const entries = more.entries ?? [makeEntry(submission === "save" ? "moved" : "submitted")];
    this.recorded.set(assignment, [...(this.recorded.get(assignment) ?? []), ...entries]);
    const isSubmission = submission !== "save" && submission !== "skip";
    const stored = this.engine.enqueue({
      id: uuid(),
      resource: assignment,
      batch: "batch",
      kind: "ranking",
      interface: "rank-1",
      changes: 1,
      queuedAt: new Date().toISOString(),
      write: {
        version: this.versions.get(assignment) ?? 0,
        action: isSubmission ? "submit" : submission,
        outcome: isSubmission ? submission : "",
        payload: rankingPayload(ranking, more.payload),
        active_ms: more.activeMs ?? 100,
        ...(more.conflict && { conflict: more.conflict }),
      },
    });
    await Promise.all([stored, this.engine.recordActivity({ resource: assignment, interface: "rank-1", entries })]);
    return entries;
  }

  async recordActivity(assignment: string, entries: ActivityEntry[], activeMs: number) {
    await this.engine.recordActivity(makeActivity(assignment, entries, activeMs));
  }

  /** As the page closes. */
  async recordFinalActivity(assignment: string, entries: ActivityEntry[], activeMs: number) {
    await this.engine.recordFinalActivity(makeActivity(assignment, entries, activeMs));
  }
}

function makeActivity(resource: string, entries: ActivityEntry[], activeMs: number) {
  const [first, ...rest] = entries;
  return { resource, interface: "rank-1", entries: first ? [{ ...first, active_ms: activeMs }, ...rest] : [] };
}

export function makeEntry(kind: string): ActivityEntry {
  return { id: uuid(), kind, old: PRIOR, new: PRIOR, at: "2026-01-01T00:00:00.000Z", active_ms: 0 };
}

export const RANKINGS: Ranking[] = [
  [["b"], ["a"], ["c"]],
  [["c"], ["a", "b"]],
  [["c"], ["b"], ["a"]],
  [["b", "c"], ["a"]],
  [["a"], ["c"], ["b"]],
];
