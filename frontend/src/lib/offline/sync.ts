/** The one engine of the page: the account's that is signed in, or that worked here last. */
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { Id, Me } from "@/api/contract";
import { useMe } from "@/lib/me";
import { isStillHers, leavePage, watchSession, worksHere, type Session } from "@/lib/session";
import { forgetLastAccount, onAccountChanged } from "./account";
import { kept } from "./database";
import { SyncEngine } from "./engine";
import { type SyncState } from "./lines";
import { changesIn } from "./queue";

let current: Promise<SyncEngine> | null = null;
let currentAccount: Id | null = null;
let engine: SyncEngine | null = null;

export function syncFor(account: Id): Promise<SyncEngine> {
  if (current && currentAccount === account) return current;
  stopSync();
  currentAccount = account;
  current = begin(account);
  return current;
}

async function begin(account: Id): Promise<SyncEngine> {
  const begun = new SyncEngine(account, await kept());
  if (currentAccount !== account) return begun;
  engine = begun;
  // Nothing waits for this: what it does shows in the engine's state.
  void begun.start();
  if (!navigator.onLine) begun.disconnected();
  return begun;
}

function stopSync(): void {
  void current?.then((begun) => begun.stop());
  current = engine = null;
  currentAccount = null;
}

/** The moments at which trying at once is worth it; a leaving page sends what it can. */
function flush(): void {
  if (engine?.state.queue.length) void engine.sendNow();
}

function looked(): void {
  if (document.visibilityState !== "visible") return flush();
  engine?.doubt();
  if (engine?.state.phase === "signed_out" || engine?.state.phase === "other_account") void askAgain();
  else flush();
}

async function askAgain(): Promise<void> {
  // Where nobody answers, nothing is known and nothing changes.
  await isStillHers().catch(() => false);
}

function followSession(session: Session): void {
  if (session.kind === "hers") void engine?.sendNow();
  else engine?.pause(session.kind === "gone" ? "signed_out" : "other_account");
}

/** She signed out in another tab: nothing of hers stays on the screen of this one. */
function followOtherTabs(now: Me | null): void {
  const isAlone = engine !== null && !engine.state.durable && engine.state.changes > 0;
  if (now === null && worksHere() && !isAlone) window.location.assign("/");
  else void askAgain();
}

/** Only where nothing is kept on the device does leaving the page lose something. */
function warnOfLoss(event: BeforeUnloadEvent): void {
  if (engine?.state.durable === false && engine.state.changes > 0) event.preventDefault();
}

watchSession(followSession);
onAccountChanged(followOtherTabs);
window.addEventListener("online", () => void engine?.sendNow());
window.addEventListener("offline", () => engine?.disconnected());
window.addEventListener("pagehide", flush);
window.addEventListener("beforeunload", warnOfLoss);
document.addEventListener("visibilitychange", looked);

/** On sign-out: what she could read goes, what she has not sent yet stays, for her alone. */
export async function forgetAccount(account: Id): Promise<void> {
  if (currentAccount === account) stopSync();
  leavePage();
  forgetLastAccount(account);
  await (await kept()).forget(account);
}

/** Undefined while the device's database opens. */
export function useSyncEngine(account: Id | undefined): SyncEngine | undefined {
  const [ready, setReady] = useState<SyncEngine>();
  useEffect(() => {
    let wanted = true;
    if (account) void syncFor(account).then((begun) => wanted && setReady(begun));
    return () => {
      wanted = false;
    };
  }, [account]);
  return ready?.account === account ? ready : undefined;
}

const never = () => () => {};

export function useSyncState(of: SyncEngine | undefined): SyncState | undefined {
  const snapshot = useCallback(() => of?.state, [of]);
  return useSyncExternalStore(of?.watch ?? never, snapshot);
}

/** Keeps sending on every page, for whoever is signed in. */
export function BackgroundSync(): null {
  useSyncEngine(useMe()?.id);
  return null;
}

export interface Unsent {
  changes: number;
  /** Whether they outlive the page. */
  durable: boolean;
}

const PATIENCE_MS = 2000;

/** What is left on this device after one more try, also of what another tab made. */
export async function trySending(account: Id): Promise<Unsent> {
  const enough = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  if (engine?.account === account) await Promise.race([engine.sendNow(), enough]);
  return { changes: await pendingCount(account), durable: engine?.state.durable ?? (await kept()).durable };
}

export async function pendingCount(account: Id): Promise<number> {
  if (engine?.account === account && !engine.state.durable) return engine.state.changes;
  return changesIn(await (await kept()).writes(account));
}

/** Without those that wait for her word. */
export function useOnItsWay(account: Id | undefined): number {
  const queue = useSyncState(useSyncEngine(account))?.queue ?? [];
  const held = new Set(queue.filter((item) => item.hold).map((item) => item.assignment));
  return changesIn(queue.filter((item) => !held.has(item.assignment)));
}

export function usePendingCount(account: Id | undefined): number {
  return useSyncState(useSyncEngine(account))?.changes ?? 0;
}
