/** The data of the outbox: changes of versioned resources, and activity, that wait to be sent. */
import type { ActivityEntry, Id, Response, ResponseWrite } from "@/api/contract";

/** Why a write waits for a decision of the user, not for the network. */
export type BlockReason =
  | { kind: "conflict"; current: Response }
  | { kind: "closed"; message: string }
  /** Sent again by itself until the study is open. */
  | { kind: "paused"; message: string }
  | { kind: "forbidden"; message: string }
  | { kind: "refused"; message: string };

/** A change of one resource, the response to an assignment, that the server has not acknowledged. */
export interface QueuedWrite {
  account: Id;
  id: Id;
  /** The assignment whose response it changes. */
  resource: Id;
  batch: Id;
  /** The study kind, which defines the payload. */
  kind: string;
  /** The page that made it: what that page knew of the server, this write knows. */
  pageId: Id;
  order: number;
  queuedAt: string;
  /** How many changes of the user it contains. */
  changes: number;
  /** The version of the editor that made it. */
  interface: string;
  write: ResponseWrite;
  idempotencyKey: Id;
  /** Frozen: the server may have it. */
  isSent: boolean;
  blocked: BlockReason | null;
}

/** One activity entry that the server has not acknowledged. */
export interface QueuedActivity {
  account: Id;
  /** The entry's id, which makes sending it twice harmless. */
  id: Id;
  resource: Id;
  /** Grows with every entry, also within a millisecond. */
  order: number;
  interface: string;
  entry: ActivityEntry;
}
