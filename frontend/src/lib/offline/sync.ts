/** The one engine of the page: the account's that is signed in, or that worked here last. */
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { Id } from "@/api/contract";
import { useMe } from "@/lib/me";
import { lastAccount } from "./account";
import { kept } from "./database";
import { SyncEngine, type SyncState } from "./engine";
import { changesIn } from "./queue";

let current: Promise<SyncEngine> | null = null;
let currentAccount: Id | null = null;

export function syncFor(account: Id): Promise<SyncEngine> {
  if (current && currentAccount === account) return current;
  void current?.then((engine) => engine.stop());
  currentAccount = account;
  current = begin(account);
  return current;
}

async function begin(account: Id): Promise<SyncEngine> {
  const engine = new SyncEngine(account, await kept());
  wake(engine);
  // Nothing waits for this: what it does shows in the engine's state.
  void engine.start();
  return engine;
}

/** The moments at which trying at once is worth it; a leaving page sends what it can. */
function wake(engine: SyncEngine): void {
  const send = () => {
    if (currentAccount === engine.account && engine.state.queue.length) void engine.sendNow();
  };
  window.addEventListener("online", send);
  window.addEventListener("offline", send);
  window.addEventListener("pagehide", send);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") engine.doubt();
    send();
  });
}

/** Undefined while the device's database opens. */
export function useSyncEngine(account: Id | undefined): SyncEngine | undefined {
  const [engine, setEngine] = useState<SyncEngine>();
  useEffect(() => {
    let wanted = true;
    if (account) void syncFor(account).then((ready) => wanted && setEngine(ready));
    return () => {
      wanted = false;
    };
  }, [account]);
  return engine?.account === account ? engine : undefined;
}

const never = () => () => {};

export function useSyncState(engine: SyncEngine | undefined): SyncState | undefined {
  const snapshot = useCallback(() => engine?.state, [engine]);
  return useSyncExternalStore(engine?.watch ?? never, snapshot);
}

/** Keeps sending on every page, for whoever is signed in. */
export function BackgroundSync(): null {
  useSyncEngine(useMe()?.id);
  return null;
}

export async function pendingCount(account: Id | undefined = lastAccount()?.id): Promise<number> {
  if (!account) return 0;
  return changesIn(await (await kept()).writes(account));
}

export function usePendingCount(account: Id | undefined): number {
  return useSyncState(useSyncEngine(account))?.changes ?? 0;
}
