/** Who this page works as, and whether the browser's session is still that person's. */
import { useSyncExternalStore } from "react";
import { call, onSignedOut } from "@/api/client";
import type { Me } from "@/api/contract";

export type Session = { kind: "hers" } | { kind: "gone" } | { kind: "other"; who: Me };

const HERS: Session = { kind: "hers" };
const watchers = new Set<(session: Session) => void>();
let worker: Me | null = null;
let session: Session = HERS;

/**
 * The server's word on who is signed in. The page stays hers until she leaves it: a session that
 * ran out, or another's in the same browser, is said over the page instead of taking it away.
 */
export function heardOf(user: Me | null): Me | null {
  if (worker === null || user?.id === worker.id) {
    worker = user;
    become(HERS);
    return user;
  }
  become(user ? { kind: "other", who: user } : { kind: "gone" });
  return worker;
}

/** She signed out of this page herself. */
export function leavePage(): void {
  worker = null;
  become(HERS);
}

export function worksHere(): Me | null {
  return worker;
}

/** Asks the server who is signed in; true when it is still she. */
export async function isStillHers(): Promise<boolean> {
  const { user } = await call<{ user: Me | null }>("/api/v1/me");
  heardOf(user);
  return session.kind === "hers";
}

/** She wants to sign in again, after having put it off. */
export function askToRenew(): void {
  if (session.kind !== "hers") tell({ ...session });
}

export function watchSession(watcher: (session: Session) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function useSession(): Session {
  return useSyncExternalStore(watchSession, () => session);
}

function become(next: Session): void {
  if (!isSame(next, session)) tell(next);
}

function isSame(one: Session, other: Session): boolean {
  if (one.kind === "other" && other.kind === "other") return one.who.id === other.who.id;
  return one.kind === other.kind;
}

function tell(next: Session): void {
  session = next;
  for (const watcher of watchers) watcher(next);
}

onSignedOut(() => {
  if (worker && session.kind === "hers") become({ kind: "gone" });
});
