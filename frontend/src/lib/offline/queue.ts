/**
 * The queue of one response, as pure functions: oldest first, at most one write that was sent.
 *
 * A write that was sent is frozen with its key until the server's word on it is known, so that a
 * lost acknowledgement is repeated, never doubled. What waits behind it is one save, or one
 * submission and what came after: a save folds into what follows it, a submission never does.
 */
import type { Id, Ranking, Response, ResponseEvent, ResponseWrite } from "@/api/contract";

export const EVENTS_AT_MOST = 500;
const DAY_MS = 86_400_000;

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
  order: number;
  queuedAt: string;
  write: ResponseWrite;
  /** Set when it is first sent; the write is frozen from then on. */
  key: Id | null;
  hold: Hold | null;
}

export type Incoming = Omit<QueuedWrite, "order" | "key" | "hold">;

export function enqueue(queue: QueuedWrite[], incoming: Incoming): QueuedWrite[] {
  const last = queue.at(-1);
  if (last && takesMore(last, incoming.write)) return [...queue.slice(0, -1), fold(last, incoming)];
  const order = Math.max(Date.parse(incoming.queuedAt), (last?.order ?? 0) + 1);
  return [...queue, { ...incoming, order, key: null, hold: null }];
}

function takesMore(last: QueuedWrite, next: ResponseWrite): boolean {
  const fits = last.write.events.length + next.events.length <= EVENTS_AT_MOST;
  return last.key === null && last.write.action === "save" && fits;
}

/** The latest state, all the events, the time of both; the version that she started from. */
function fold(last: QueuedWrite, incoming: Incoming): QueuedWrite {
  const { write } = incoming;
  return {
    ...last,
    queuedAt: incoming.queuedAt,
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

/** The oldest write of an account that may go: of each response only the first, if nothing holds it. */
export function firstSendable(queue: QueuedWrite[]): QueuedWrite | null {
  const seen = new Set<Id>();
  const heads = queue.filter(({ assignment }) => !seen.has(assignment) && seen.add(assignment));
  return heads.find((item) => item.hold === null) ?? null;
}

export function claim(queue: QueuedWrite[], id: Id, key: Id): QueuedWrite[] {
  return queue.map((item) => (item.id === id && item.key === null ? { ...item, key } : item));
}

/** The server has it: what waits behind it goes on from the version that this made. */
export function acknowledge(queue: QueuedWrite[], id: Id, version: number): QueuedWrite[] {
  if (!queue.some((item) => item.id === id)) return queue;
  return queue.filter((item) => item.id !== id).map((item) => atVersion(item, version));
}

/** The server said no and kept nothing: the write is hers again, and takes further changes. */
export function hold(queue: QueuedWrite[], id: Id, why: Hold): QueuedWrite[] {
  return queue.map((item) => (item.id === id ? { ...item, key: null, hold: why } : item));
}

/** Send what is here on top of what the server has. */
export function rebase(queue: QueuedWrite[], version: number): QueuedWrite[] {
  return queue.map((item) => ({ ...atVersion(item, version), key: null, hold: null }));
}

function atVersion(item: QueuedWrite, version: number): QueuedWrite {
  return { ...item, write: { ...item.write, version } };
}

/** What the page shows while these wait: her own answer, in the state it will have. */
export function overlay(response: Response, queue: QueuedWrite[]): Response {
  return queue.reduce(applied, response);
}

function applied(response: Response, item: QueuedWrite): Response {
  const { write } = item;
  const state = stateAfter(response, write);
  const submits = write.action !== "save";
  return {
    ...response,
    state,
    ranking: write.ranking,
    confidence: write.confidence,
    reasons: write.reasons,
    comment: write.comment,
    unsure_reason: write.unsure_reason,
    active_ms: response.active_ms + write.active_ms,
    updated_at: item.queuedAt,
    submitted: submits
      ? { number: (response.submitted?.number ?? 0) + 1, state, submitted_at: item.queuedAt }
      : response.submitted,
  };
}

/** The server's own rule, so that the page says now what the server will say. */
function stateAfter(response: Response, write: ResponseWrite): Response["state"] {
  const submitted = { agree: "confirmed", submit: "changed", not_sure: "not_sure", skip: "skipped" } as const;
  if (write.action !== "save") return submitted[write.action];
  return sameAnswer(response, write) ? response.state : "draft";
}

export type Answer = Pick<Response, "ranking" | "confidence" | "reasons" | "comment" | "unsure_reason">;

export function sameAnswer(one: Answer, other: Answer): boolean {
  return content(one) === content(other);
}

function content({ ranking, confidence, reasons, comment, unsure_reason }: Answer): string {
  const groups = ranking.map((group: Ranking[number]) => group.toSorted());
  return JSON.stringify([groups, confidence, reasons.toSorted(), comment, unsure_reason]);
}

const NOT_CHANGES = new Set<ResponseEvent["kind"]>(["opened", "link_opened", "definition_opened"]);

/** How many changes wait: what she would lose, not how many requests it takes. */
export function changesIn(queue: QueuedWrite[]): number {
  return queue
    .flatMap((item) => item.write.events)
    .reduce((sum, event) => sum + (NOT_CHANGES.has(event.kind) ? 0 : 1), 0);
}
