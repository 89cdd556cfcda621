/**
 * Converts records of version 1 of the database, when ranking was the only study kind: the fields
 * of an answer stood beside those of the response, and a write carried its activity.
 */
import type {
  ActivityEntry,
  Assignment,
  BatchAssignments,
  Id,
  Json,
  Payload,
  Response,
  ResponseAction,
  ResponseStatus,
} from "@/api/contract";
import { uuid } from "@/lib/uuid";
import type { StoredBatch, StoredResponse } from "./store";
import type { BlockReason, QueuedActivity, QueuedWrite } from "./types";

const KIND = "ranking";

interface ResponseV1 {
  version: number;
  state: string;
  active_ms: number;
  updated_at: string | null;
  submitted: { number: number; state: string; submitted_at: string } | null;
  [answerField: string]: Json;
}

interface WriteBodyV1 {
  version: number;
  action: "save" | "agree" | "submit" | "not_sure" | "skip";
  active_ms: number;
  events: Omit<ActivityEntry, "active_ms">[];
  interface: string;
  [answerField: string]: Json | Omit<ActivityEntry, "active_ms">[];
}

type HoldV1 =
  | { kind: "conflict"; current: ResponseV1 }
  | { kind: "closed" | "not_yours" | "refused"; sentence: string };

export interface WriteV1 {
  account: Id;
  id: Id;
  assignment: Id;
  batch: Id;
  page: Id;
  order: number;
  queuedAt: string;
  write: WriteBodyV1;
  key: Id;
  sent: boolean;
  hold: HoldV1 | null;
  looks: boolean;
}

export interface StoredResponseV1 {
  account: Id;
  assignment: Id;
  response: ResponseV1;
  page: Id | null;
}

export interface StoredBatchV1 {
  account: Id;
  batch: Id;
  data: {
    batch: Omit<BatchAssignments["batch"], "study"> & { study: Omit<BatchAssignments["batch"]["study"], "kind"> };
    total: number;
    assignments: { id: Id; question: Assignment["item"]; response: ResponseV1 }[];
  };
}

/** Events that a version 1 page did not count as changes. */
const NOT_CHANGES = new Set(["opened", "link_opened", "definition_opened"]);

const ACTIONS: Record<WriteBodyV1["action"], { action: ResponseAction; outcome: string }> = {
  save: { action: "save", outcome: "" },
  agree: { action: "submit", outcome: "confirmed" },
  submit: { action: "submit", outcome: "changed" },
  not_sure: { action: "submit", outcome: "not_sure" },
  skip: { action: "skip", outcome: "" },
};

/** Null for a write that carried activity alone. */
export function upgradeWrite(record: WriteV1): QueuedWrite | null {
  if (record.looks) return null;
  const { version, action, active_ms, events, interface: editor, ...payload } = record.write;
  return {
    account: record.account,
    id: record.id,
    resource: record.assignment,
    batch: record.batch,
    kind: KIND,
    pageId: record.page,
    order: record.order,
    queuedAt: record.queuedAt,
    changes: events.filter(({ kind }) => !NOT_CHANGES.has(kind)).length,
    interface: editor,
    // The server may have counted the time of a write that was sent.
    write: { version, ...ACTIONS[action], payload: payload as Payload, active_ms: record.sent ? 0 : active_ms },
    // The same content in another shape needs a key of its own.
    idempotencyKey: uuid(),
    isSent: record.sent,
    blocked: record.hold && upgradeHold(record.hold),
  };
}

/** The activity that a write carried. Entries keep their ids, so that the server records each once. */
export function upgradeActivity({ account, id, assignment, order, queuedAt, looks, write }: WriteV1): QueuedActivity[] {
  const entries = write.events.map((event): ActivityEntry => ({ ...event, active_ms: 0 }));
  const [first, ...rest] = entries;
  const time = { active_ms: looks ? write.active_ms : 0 };
  const alone: ActivityEntry = { id, kind: "active", at: queuedAt, old: null, new: null, ...time };
  const all = first ? [{ ...first, ...time }, ...rest] : time.active_ms > 0 ? [alone] : [];
  return all.map((entry, index) => ({
    account,
    id: entry.id,
    resource: assignment,
    order: order + index,
    interface: write.interface,
    entry,
  }));
}

/** The old page's request was refused, which need not hold for the new one: it is sent once more. */
function upgradeHold(hold: HoldV1): BlockReason | null {
  if (hold.kind === "refused") return null;
  if (hold.kind === "conflict") return { kind: "conflict", current: upgradeResponse(hold.current) };
  return { kind: hold.kind === "not_yours" ? "forbidden" : hold.kind, message: hold.sentence };
}

function upgradeResponse({ version, state, active_ms, updated_at, submitted, ...payload }: ResponseV1): Response {
  return {
    version,
    ...resultOf(state),
    payload: payload as Payload,
    active_ms,
    updated_at,
    submitted: submitted && { number: submitted.number, outcome: submitted.state, submitted_at: submitted.submitted_at },
  };
}

function resultOf(state: string): { status: ResponseStatus; outcome: string } {
  if (state === "untouched" || state === "draft") return { status: state, outcome: "" };
  return { status: state === "skipped" ? "skipped" : "submitted", outcome: state };
}

export function upgradeStoredResponse({ account, assignment, response, page }: StoredResponseV1): StoredResponse {
  return { account, resource: assignment, response: upgradeResponse(response), pageId: page };
}

export function upgradeBatch({ account, batch, data }: StoredBatchV1): StoredBatch {
  const assignments = data.assignments.map(({ id, question, response }) => ({
    id,
    item: question,
    response: upgradeResponse(response),
  }));
  const study = { ...data.batch.study, kind: KIND };
  return { account, batch, data: { batch: { ...data.batch, study }, total: data.total, assignments } };
}
