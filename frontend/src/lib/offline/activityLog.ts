/**
 * Activity that waits to be sent: an append-only log. The server ignores an entry whose id it has,
 * so that entries may be sent in any order, several times and from any tab.
 */
import type { ActivityEntry, Id } from "@/api/contract";
import type { QueuedActivity } from "./types";
import { countFitting, truncateEntry } from "./writeLimits";

/** Entries that go in one request. */
export interface ActivityBatch {
  resource: Id;
  interface: string;
  entries: ActivityEntry[];
}

/** What a page records of one resource. */
export type Activity = ActivityBatch;

export function toQueuedActivity(account: Id, { resource, interface: version, entries }: Activity): QueuedActivity[] {
  return entries.map((entry) => ({
    account,
    id: entry.id,
    resource,
    order: nextOrder(),
    interface: version,
    entry: truncateEntry(entry),
  }));
}

let lastOrder = 0;

function nextOrder(): number {
  lastOrder = Math.max(lastOrder + 1, Date.now());
  return lastOrder;
}

/** The entries by resource and editor, split by what one request can take. */
export function toBatches(queued: QueuedActivity[]): ActivityBatch[] {
  const groups = new Map<string, ActivityBatch>();
  const sorted = queued.toSorted((left, right) => left.order - right.order);
  for (const { resource, interface: version, entry } of sorted) {
    const key = `${resource} ${version}`;
    const group = groups.get(key) ?? { resource, interface: version, entries: [] };
    group.entries.push(entry);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(split);
}

function split(batch: ActivityBatch): ActivityBatch[] {
  const count = countFitting(batch.entries);
  if (count === batch.entries.length) return [batch];
  const rest = { ...batch, entries: batch.entries.slice(count) };
  return [{ ...batch, entries: batch.entries.slice(0, count) }, ...split(rest)];
}

/** An entry for time alone: for a write that was dropped, and with it the time that it would have reported. */
export function activeTimeEntry(id: Id, activeMs: number): ActivityEntry {
  return { id, kind: "active", at: new Date().toISOString(), active_ms: activeMs, old: null, new: null };
}
