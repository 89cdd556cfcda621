/** Who this page works as, and whether the browser's session is still that person's. */
import { useSyncExternalStore } from "react";
import { request, onSignedOut } from "@/api/client";
import type { CurrentUser } from "@/api/contract";

/** `isRequested`: the user wants to renew it now. */
export type Session =
  | { kind: "own" }
  | { kind: "gone"; isRequested?: boolean }
  | { kind: "other"; who: CurrentUser; isRequested?: boolean };

const ACTIVE_SESSION: Session = { kind: "own" };
const listeners = new Set<(session: Session) => void>();
let pageUser: CurrentUser | null = null;
let session: Session = ACTIVE_SESSION;

/**
 * Who is signed in, as the server answers. The page stays with its user: a session that ran out, or
 * another user's in the same browser, is shown over the page instead of replacing it.
 */
export function setSessionUser(user: CurrentUser | null): CurrentUser | null {
  if (pageUser === null || user?.id === pageUser.id) {
    pageUser = user;
    setSession(ACTIVE_SESSION);
    return user;
  }
  setSession(user ? { kind: "other", who: user } : { kind: "gone" });
  return pageUser;
}

export function clearPageUser(): void {
  pageUser = null;
  setSession(ACTIVE_SESSION);
}

export function getPageUser(): CurrentUser | null {
  return pageUser;
}

/** Reads from the server who is signed in; true if it is still the user of this page. */
export async function isSameUser(): Promise<boolean> {
  const { user } = await request<{ user: CurrentUser | null }>("/api/v1/me");
  setSessionUser(user);
  return session.kind === "own";
}

/** Shows the renewal again after it was dismissed. */
export function showRenewal(): void {
  if (session.kind !== "own") notify({ ...session, isRequested: true });
}

export function subscribeToSession(watcher: (session: Session) => void): () => void {
  listeners.add(watcher);
  return () => listeners.delete(watcher);
}

export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, () => session);
}

function setSession(next: Session): void {
  if (!isSame(next, session)) notify(next);
}

function isSame(one: Session, other: Session): boolean {
  if (one.kind === "other" && other.kind === "other") return one.who.id === other.who.id;
  return one.kind === other.kind;
}

function notify(next: Session): void {
  session = next;
  for (const watcher of listeners) watcher(next);
}

onSignedOut(() => {
  if (pageUser && session.kind === "own") setSession({ kind: "gone" });
});
