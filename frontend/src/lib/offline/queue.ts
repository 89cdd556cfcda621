/**
 * The queue of one response, as pure functions: oldest first, at most one write that was sent.
 *
 * A write has its key from the start, and a new one whenever its content changes: so one key is
 * one content, also where this device forgot that it had sent it. A write that was sent is frozen
 * until the server's word on it is known, so that a lost acknowledgement is repeated, never
 * doubled. A save that waits folds into what follows it; a submission never does.
 */
import type { Id, Response, ResponseEvent, ResponseWrite } from "@/api/contract";
import { uuid } from "@/lib/uuid";
import { sameAnswer, type Answer } from "./answer";
import { DAY_MS, fitsInOne, fitting, inParts, type Part } from "./fitting";

export { overlay, sameAnswer, type Answer } from "./answer";

/** Why a write waits for her, not for the network. */
export type Hold =
  | { kind: "conflict"; current: Response }
  | { kind: "closed"; sentence: string }
  | { kind: "not_yours"; sentence: string }
  | { kind: "refused"; sentence: string };

export interface QueuedWrite {
  account: Id;
  id: Id;
  assignment: Id;
  batch: Id;
  /** The page that made it: what it knew of the server, this write knows. */
  page: Id;
  order: number;
  queuedAt: string;
  write: ResponseWrite;
  key: Id;
  /** Frozen: the server may have it. */
  sent: boolean;
  hold: Hold | null;
  /** It tells only that she looked; of the answer it repeats what was known, and sends nothing. */
  looks: boolean;
}

export type Incoming = Pick<QueuedWrite, "account" | "id" | "assignment" | "batch" | "page" | "queuedAt" | "write">;

export const inOrder = (queue: QueuedWrite[]) => queue.toSorted((one, other) => one.order - other.order);

export function enqueue(queue: QueuedWrite[], incoming: Incoming): QueuedWrite[] {
  const { rest, write } = withLooks(queue, fitting(incoming.write));
  const last = rest.at(-1);
  if (last && takesMore(last, write)) return [...rest.slice(0, -1), fold(last, { ...incoming, write })];
  return inParts(incoming.id, write).reduce((all, part) => [...all, behind(all, incoming, part)], rest);
}

/** Looking that waits goes with the change that follows it. */
function withLooks(queue: QueuedWrite[], write: ResponseWrite): { rest: QueuedWrite[]; write: ResponseWrite } {
  const first = queue.findLastIndex(({ looks, sent }) => !looks || sent) + 1;
  const before = queue.slice(first).map((item) => item.write);
  const events = joinEvents(before.flatMap((one) => one.events), write.events);
  if (!before.length || !fitsInOne(events)) return { rest: queue, write };
  const activeMs = before.reduce((sum, one) => sum + one.active_ms, write.active_ms);
  return { rest: queue.slice(0, first), write: { ...write, events, active_ms: Math.min(activeMs, DAY_MS) } };
}

export type Look = Omit<Incoming, "write"> & { write: Pick<ResponseWrite, "active_ms" | "events" | "interface"> };

/** With what was said last of the answer: by her, where that waits here, else by the server. */
export function addLook(queue: QueuedWrite[], look: Look, known: Response): QueuedWrite[] {
  const last = queue.at(-1);
  const write = lookAt(last?.write ?? known, look);
  if (last && takesMore(last, write)) {
    const folded = fold(last, { ...look, write: { ...last.write, events: write.events, active_ms: write.active_ms } });
    return [...queue.slice(0, -1), { ...folded, page: last.page, hold: last.hold }];
  }
  const parts = inParts(look.id, write);
  return parts.reduce((all, part) => [...all, { ...behind(all, { ...look, write }, part), looks: true }], queue);
}

/** One that was sent as it was made: it goes into no other, and keeps its key. */
export function addSentLook(queue: QueuedWrite[], look: Look, known: Response): QueuedWrite[] {
  return [...queue, sentLook(look, known, queue)];
}

export function sentLook(look: Look, known: Response, queue: QueuedWrite[] = []): QueuedWrite {
  const write = lookAt(queue.at(-1)?.write ?? known, look);
  return { ...behind(queue, { ...look, write }, { id: look.id, write }), looks: true, sent: true };
}

function lookAt(known: Answer & { version: number }, look: Look): ResponseWrite {
  return fitting({ ...answerIn(known), ...look.write, version: known.version, action: "save" });
}

function answerIn({ ranking, confidence, reasons, comment, unsure_reason }: Answer): Answer {
  return { ranking, confidence, reasons, comment, unsure_reason };
}

/** A page need not have drawn the answer to its last write before it makes the next. */
export function sinceSaved<Write extends Pick<Incoming, "page" | "write">>(
  incoming: Write,
  saved: { page: Id | null; response: Response } | null,
): Write {
  const { write } = incoming;
  if (saved?.page !== incoming.page || saved.response.version <= write.version) return incoming;
  return { ...incoming, write: { ...write, version: saved.response.version } };
}

function behind(queue: QueuedWrite[], incoming: Incoming, { id, write }: Part): QueuedWrite {
  const order = Math.max(Date.parse(incoming.queuedAt), (queue.at(-1)?.order ?? 0) + 1);
  return { ...incoming, id, write, order, key: id, sent: false, hold: null, looks: false };
}

/** A submission that the server refused is none: what she changes then takes its place. */
function takesMore(last: QueuedWrite, next: ResponseWrite): boolean {
  const isOpen = last.write.action === "save" || last.hold?.kind === "refused";
  return !last.sent && isOpen && fitsInOne(joinEvents(last.write.events, next.events));
}

/** The latest answer, all the events, the time of both; the version that she started from. */
function fold(last: QueuedWrite, incoming: Incoming): QueuedWrite {
  const { write } = incoming;
  return {
    ...last,
    page: incoming.page,
    queuedAt: incoming.queuedAt,
    key: incoming.id,
    hold: last.hold?.kind === "refused" ? null : last.hold,
    write: {
      ...write,
      version: last.write.version,
      active_ms: Math.min(last.write.active_ms + write.active_ms, DAY_MS),
      events: joinEvents(last.write.events, write.events),
    },
  };
}

/** A comment is typed letter by letter: what was there before, and what stands now, is one event. */
export function joinEvents(before: ResponseEvent[], after: ResponseEvent[]): ResponseEvent[] {
  const last = before.at(-1);
  const [next, ...rest] = after;
  if (last?.kind !== "comment" || next?.kind !== "comment") return [...before, ...after];
  return [...before.slice(0, -1), { ...next, old: last.old }, ...rest];
}

/** The oldest write that may go: of each response only the first, if nothing holds it. */
export function firstSendable(queue: QueuedWrite[], passed: ReadonlySet<Id> = new Set()): QueuedWrite | null {
  const seen = new Set<Id>();
  const heads = queue.filter(({ assignment }) => !seen.has(assignment) && seen.add(assignment));
  return heads.find((item) => item.hold === null && !passed.has(item.id)) ?? null;
}

type Sent = Pick<QueuedWrite, "id" | "key">;

const isThat = (item: QueuedWrite, { id, key }: Sent) => item.id === id && item.key === key;

export function claim(queue: QueuedWrite[], sent: Sent): QueuedWrite[] {
  return queue.map((item) => (isThat(item, sent) ? { ...item, sent: true } : item));
}

/** The server has it: what waits behind it goes on from the version that this made. */
export function acknowledge(queue: QueuedWrite[], sent: Sent, version: number): QueuedWrite[] {
  const done = queue.find((item) => isThat(item, sent));
  if (!done) return queue;
  // A look makes no version, and may be answered with one that the change behind it does not know.
  return queue.filter((item) => item !== done).map((item) => (done.looks ? item : atVersion(item, version)));
}

/** The server said no and kept nothing: the write is hers again. */
export function hold(queue: QueuedWrite[], sent: Sent, why: Hold): QueuedWrite[] {
  // A look that is refused (the study closed meanwhile) is no answer: there is nothing to decide.
  return queue
    .filter((item) => !(item.looks && isThat(item, sent)))
    .map((item) => (isThat(item, sent) ? { ...item, sent: false, hold: why } : item));
}

/** Try what was held once more as it is; a conflict is hers to decide. */
export function release(queue: QueuedWrite[], kinds: Hold["kind"][]): QueuedWrite[] {
  return queue.map((item) => (item.hold && kinds.includes(item.hold.kind) ? { ...item, hold: null } : item));
}

/** Send what is here on top of what the server has. */
export function rebase(queue: QueuedWrite[], version: number): QueuedWrite[] {
  // A look has no version, and one that may have arrived is known there by its key.
  return queue.map((item) =>
    item.looks && item.sent ? item : { ...atVersion(item, version), key: uuid(), sent: false, hold: null },
  );
}

/** Her answer gives way; what she did on the way to it is still told, each event once. */
export function giveWay(queue: QueuedWrite[], to: Answer): QueuedWrite[] {
  return queue
    .filter(({ write }) => write.events.length > 0 || write.active_ms > 0)
    .map((item) => ({ ...item, looks: true, write: { ...item.write, ...answerIn(to), action: "save" } }));
}

/** What the server said of it is what she has: there is nothing to choose between. */
export function agrees(item: QueuedWrite, current: Response): boolean {
  return sameAnswer(item.write, current) && current.version !== item.write.version;
}

function atVersion(item: QueuedWrite, version: number): QueuedWrite {
  return { ...item, write: { ...item.write, version } };
}

const NOT_CHANGES = new Set<ResponseEvent["kind"]>(["opened", "link_opened", "definition_opened"]);

/** How many changes wait: what she would lose, not how many requests it takes. */
export function changesIn(queue: QueuedWrite[]): number {
  return queue
    .flatMap((item) => item.write.events)
    .reduce((sum, event) => sum + (NOT_CHANGES.has(event.kind) ? 0 : 1), 0);
}
