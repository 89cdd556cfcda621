/**
 * The queue of writes of one response, as pure functions: oldest first, at most one that was sent.
 *
 * Every write has an idempotency key from the start, and a new one whenever its content changes. So
 * one key stands for one content, also where this device lost track of having sent it. A write that
 * was sent is frozen until the server has answered, so that a lost acknowledgement is repeated and
 * never applied twice. A queued save merges into the write that follows it; a submission never does.
 */
import type { Id, Response, ResponseWrite } from "@/api/contract";
import { uuid } from "@/lib/uuid";
import { isSamePayload } from "./payloadComparison";
import type { BlockReason, QueuedWrite } from "./types";
import { clampActiveMs, truncateWrite } from "./writeLimits";

export type NewWrite = Omit<QueuedWrite, "order" | "idempotencyKey" | "isSent" | "blocked">;

export const sortByOrder = (queue: QueuedWrite[]) => queue.toSorted((left, right) => left.order - right.order);

export function enqueue(queue: QueuedWrite[], incoming: NewWrite): QueuedWrite[] {
  const next = { ...incoming, write: truncateWrite(incoming.write) };
  const last = queue.at(-1);
  if (last && canMerge(last)) return [...queue.slice(0, -1), mergeWrites(last, next)];
  return [...queue, appended(queue, next)];
}

/** A page may write again before it has rendered the answer to its last write. */
export function rebaseOnSaved<Write extends Pick<NewWrite, "pageId" | "write">>(
  incoming: Write,
  saved: { pageId: Id | null; response: Response } | null,
): Write {
  const { write } = incoming;
  if (saved?.pageId !== incoming.pageId || saved.response.version <= write.version) return incoming;
  return { ...incoming, write: { ...write, version: saved.response.version } };
}

function appended(queue: QueuedWrite[], incoming: NewWrite): QueuedWrite {
  const order = Math.max(Date.parse(incoming.queuedAt), (queue.at(-1)?.order ?? 0) + 1);
  return { ...incoming, order, idempotencyKey: incoming.id, isSent: false, blocked: null };
}

/** A change after a submission that the server refused replaces that submission. */
function canMerge({ isSent, write, blocked }: QueuedWrite): boolean {
  return !isSent && (write.action === "save" || blocked?.kind === "refused");
}

/** The latest content and the time of both, based on the version that the first was based on. */
function mergeWrites(last: QueuedWrite, incoming: NewWrite): QueuedWrite {
  const { write } = incoming;
  return {
    ...last,
    pageId: incoming.pageId,
    queuedAt: incoming.queuedAt,
    changes: last.changes + incoming.changes,
    interface: incoming.interface,
    idempotencyKey: incoming.id,
    blocked: last.blocked?.kind === "refused" ? null : last.blocked,
    write: { ...write, version: last.write.version, active_ms: clampActiveMs(last.write.active_ms + write.active_ms) },
  };
}

/** The oldest write that may be sent: of each response only the first, unless it is blocked. */
export function firstSendable(queue: QueuedWrite[], skipped: ReadonlySet<Id> = new Set()): QueuedWrite | null {
  const resources = new Set<Id>();
  const heads = queue.filter(({ resource }) => !resources.has(resource) && resources.add(resource));
  return heads.find((item) => item.blocked === null && !skipped.has(item.id)) ?? null;
}

type SentWrite = Pick<QueuedWrite, "id" | "idempotencyKey">;

const isSameWrite = (item: QueuedWrite, { id, idempotencyKey }: SentWrite) =>
  item.id === id && item.idempotencyKey === idempotencyKey;

export function markSent(queue: QueuedWrite[], sent: SentWrite): QueuedWrite[] {
  return queue.map((item) => (isSameWrite(item, sent) ? { ...item, isSent: true } : item));
}

/** The server has it: the writes behind it continue from the version that it made. */
export function acknowledge(queue: QueuedWrite[], sent: SentWrite, version: number): QueuedWrite[] {
  if (!queue.some((item) => isSameWrite(item, sent))) return queue;
  return queue.filter((item) => !isSameWrite(item, sent)).map((item) => withVersion(item, version));
}

/** The server rejected it and stored nothing: it waits for the user. */
export function blockWrite(queue: QueuedWrite[], sent: SentWrite, reason: BlockReason): QueuedWrite[] {
  return queue.map((item) => (isSameWrite(item, sent) ? { ...item, isSent: false, blocked: reason } : item));
}

/** Lets blocked writes be tried again unchanged; a conflict needs a decision. */
export function unblock(queue: QueuedWrite[], kinds: BlockReason["kind"][]): QueuedWrite[] {
  return queue.map((item) => (item.blocked && kinds.includes(item.blocked.kind) ? { ...item, blocked: null } : item));
}

/** Puts the queued writes on top of what the server has. */
export function rebaseQueue(queue: QueuedWrite[], version: number): QueuedWrite[] {
  return queue.map((item) => ({ ...withVersion(item, version), idempotencyKey: uuid(), isSent: false, blocked: null }));
}

/** Whether the server's current response is what this write would make of it. */
export function isAlreadySaved({ kind, write }: QueuedWrite, current: Response): boolean {
  // A skip without its conflict of interest looks the same.
  if (write.conflict) return false;
  return hasSameContent(kind, write, current) && (write.action === "save" || isSameResult(write, current));
}

/** Whether both have the same content, so that there is nothing to choose between. */
export function matchesServer({ kind, write }: QueuedWrite, current: Response): boolean {
  return hasSameContent(kind, write, current);
}

const hasSameContent = (kind: string, write: ResponseWrite, current: Response) =>
  current.version !== write.version && isSamePayload(kind, write.payload, current.payload);

const isSameResult = ({ action, outcome }: ResponseWrite, current: Response) =>
  action === "skip" ? current.status === "skipped" : current.status === "submitted" && current.outcome === outcome;

function withVersion(item: QueuedWrite, version: number): QueuedWrite {
  return { ...item, write: { ...item.write, version } };
}

/** How many changes of the user wait: what would be lost, not how many requests it takes. */
export function countChanges(queue: QueuedWrite[]): number {
  return queue.reduce((sum, { changes }) => sum + changes, 0);
}

export const totalActiveMs = (queue: QueuedWrite[]) => queue.reduce((sum, { write }) => sum + write.active_ms, 0);
