/** What is kept on this device, and the engine that sends it: the only door to this folder. */
export { lastAccount, rememberAccount } from "./account";
export { kept, type Kept, type KeptBatch, type KeptResponse } from "./database";
export { storable } from "./fitting";
export { SyncEngine } from "./engine";
export { type Phase, type SyncState } from "./lines";
export { changesIn, overlay, sameAnswer, type Answer, type Hold, type Incoming, type QueuedWrite } from "./queue";
export {
  BackgroundSync,
  forgetAccount,
  pendingCount,
  syncFor,
  trySending,
  useOnItsWay,
  usePendingCount,
  useSyncEngine,
  useSyncState,
  type Unsent,
} from "./sync";
