/** The one engine of the page: that of the account that is signed in, or was last used here. */
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { Id, CurrentUser } from "@/api/contract";
import { isSameUser, clearPageUser, subscribeToSession, getPageUser, type Session } from "@/lib/session";
import { type SyncState } from "./accountQueue";
import { clearLastAccount, onAccountChanged } from "./lastAccount";
import { sharedStore } from "./openStore";
import { countChanges } from "./outbox";
import { SyncEngine } from "./syncEngine";

let enginePromise: Promise<SyncEngine> | null = null;
let currentAccount: Id | null = null;
let engine: SyncEngine | null = null;

export function engineFor(account: Id): Promise<SyncEngine> {
  if (enginePromise && currentAccount === account) return enginePromise;
  stopEngine();
  currentAccount = account;
  enginePromise = startEngine(account);
  return enginePromise;
}

async function startEngine(account: Id): Promise<SyncEngine> {
  const started = new SyncEngine(account, await sharedStore());
  if (currentAccount !== account) return started;
  engine = started;
  // Not awaited: its progress is in the engine's state.
  void started.start();
  if (!navigator.onLine) started.setOffline();
  return started;
}

function stopEngine(): void {
  void enginePromise?.then((started) => started.stop());
  enginePromise = engine = null;
  currentAccount = null;
}

/** Called when trying at once is useful; a page that is left sends what it can. */
function flush(): void {
  if (engine?.hasUnsent) void engine.sendNow();
}

function onVisibilityChange(): void {
  if (document.visibilityState !== "visible") return flush();
  engine?.invalidateSession();
  if (engine?.state.phase === "signed_out" || engine?.state.phase === "other_account") void recheckSession();
  else flush();
}

async function recheckSession(): Promise<void> {
  // Without an answer nothing is known, and nothing changes.
  await isSameUser().catch(() => false);
}

function watchSessionChanges(session: Session): void {
  if (session.kind === "own") void engine?.sendNow();
  else engine?.pause(session.kind === "gone" ? "signed_out" : "other_account");
}

/** After a sign-out in another tab, nothing of the account stays on the screen of this one. */
function watchOtherTabs(user: CurrentUser | null): void {
  const isOnlyCopy = engine !== null && !engine.state.isDurable && engine.state.changes > 0;
  if (user === null && getPageUser() && !isOnlyCopy) window.location.assign("/");
  else void recheckSession();
}

/** Leaving the page loses changes only where they are not stored on the device. */
function warnBeforeUnload(event: BeforeUnloadEvent): void {
  if (engine?.state.isDurable === false && engine.state.changes > 0) event.preventDefault();
}

subscribeToSession(watchSessionChanges);
onAccountChanged(watchOtherTabs);
window.addEventListener("online", () => void engine?.sendNow());
window.addEventListener("offline", () => engine?.setOffline());
window.addEventListener("pagehide", flush);
window.addEventListener("beforeunload", warnBeforeUnload);
document.addEventListener("visibilitychange", onVisibilityChange);

/** On sign-out, what the account could read is removed; what is not sent stays, for this account alone. */
export async function clearAccountData(account: Id): Promise<void> {
  if (currentAccount === account) stopEngine();
  clearPageUser();
  clearLastAccount(account);
  await (await sharedStore()).clearAccount(account);
}

/** Undefined while the device's database opens. */
export function useSyncEngine(account: Id | undefined): SyncEngine | undefined {
  const [ready, setReady] = useState<SyncEngine>();
  useEffect(() => {
    let isCurrent = true;
    if (account) void engineFor(account).then((started) => isCurrent && setReady(started));
    return () => {
      isCurrent = false;
    };
  }, [account]);
  return ready?.account === account ? ready : undefined;
}

const noSubscription = () => () => {};

export function useSyncState(source: SyncEngine | undefined): SyncState | undefined {
  const snapshot = useCallback(() => source?.state, [source]);
  return useSyncExternalStore(source?.subscribe ?? noSubscription, snapshot);
}

export interface UnsentSummary {
  changes: number;
  /** Whether they outlive the page. */
  isDurable: boolean;
}

const SIGN_OUT_SYNC_TIMEOUT_MS = 2000;

/** What is left on this device after one more try, other tabs' changes included. */
export async function sendBeforeSignOut(account: Id): Promise<UnsentSummary> {
  const timeout = new Promise((resolve) => setTimeout(resolve, SIGN_OUT_SYNC_TIMEOUT_MS));
  if (engine?.account === account) await Promise.race([engine.sendNow(), timeout]);
  return { changes: await readPendingCount(account), isDurable: engine?.state.isDurable ?? (await sharedStore()).isDurable };
}

async function readPendingCount(account: Id): Promise<number> {
  if (engine?.account === account && !engine.state.isDurable) return engine.state.changes;
  return countChanges(await (await sharedStore()).readWrites(account));
}

/** Without those that wait for a decision; undefined until the device's queue was read. */
export function useSendingCount(account: Id | undefined): number | undefined {
  const queue = useSyncState(useSyncEngine(account))?.queue;
  if (!queue) return undefined;
  const blocked = new Set(queue.filter((item) => item.blocked).map((item) => item.resource));
  return countChanges(queue.filter((item) => !blocked.has(item.resource)));
}

export function usePendingCount(account: Id | undefined): number {
  return useSyncState(useSyncEngine(account))?.changes ?? 0;
}
