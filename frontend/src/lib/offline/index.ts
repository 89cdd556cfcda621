/** The offline store and the engine that sends what waits in it. Other folders import this file only. */
export { sharedStore } from "./openStore";
export type { OfflineStore, StoredResponse } from "./store";
export { SyncEngine } from "./syncEngine";
export { type Phase, type SyncState } from "./accountQueue";
export { applyQueuedWrites } from "./optimisticResponse";
export { isSamePayload } from "./payloadComparison";
export type { BlockReason, QueuedWrite } from "./types";
export {
  clearAccountData,
  engineFor,
  sendBeforeSignOut,
  useSendingCount,
  usePendingCount,
  useSyncEngine,
  useSyncState,
  type UnsentSummary,
} from "./useSync";
