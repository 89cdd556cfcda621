/** What is stored on this device for one account: implemented in IndexedDB and in memory. */
import type { BatchAssignments, Id, Response } from "@/api/contract";
import type { QueuedActivity, QueuedWrite } from "./types";

export interface StoredBatch {
  account: Id;
  batch: Id;
  data: BatchAssignments;
}

/** The newest state of one response at the server; newer than the batch that it belongs to. */
export interface StoredResponse {
  account: Id;
  resource: Id;
  response: Response;
  /** The page whose write this answered: it knows this version, others may not yet. */
  pageId: Id | null;
}

interface ResponseQueue {
  queue: QueuedWrite[];
  serverResponse: StoredResponse | null;
}

export type ResponseQueueUpdate = (stored: ResponseQueue) => ResponseQueue;

/** Every record is keyed by account: on a shared computer nobody reads or sends another account's. */
export interface OfflineStore {
  /** Whether what is stored outlives the tab. */
  isDurable: boolean;
  readWrites(account: Id): Promise<QueuedWrite[]>;
  /** Read, change and write one response's queue in one transaction, also between tabs. */
  updateQueue(account: Id, resource: Id, update: ResponseQueueUpdate): Promise<QueuedWrite[]>;
  readActivity(account: Id): Promise<QueuedActivity[]>;
  appendActivity(entries: QueuedActivity[]): Promise<void>;
  removeActivity(account: Id, ids: Id[]): Promise<void>;
  readBatch(account: Id, batch: Id): Promise<BatchAssignments | null>;
  readBatches(account: Id): Promise<BatchAssignments[]>;
  storeBatch(batch: StoredBatch): Promise<void>;
  readResponses(account: Id): Promise<StoredResponse[]>;
  readResponse(account: Id, resource: Id): Promise<StoredResponse | null>;
  /** Removes everything but what waits to be sent. */
  clearAccount(account: Id): Promise<void>;
}
