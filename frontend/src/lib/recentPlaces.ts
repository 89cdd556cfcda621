/** What was opened last on this device, newest first: of the account that opened it alone. */
import { useEffect } from "react";
import { useCurrentUser } from "./currentUser";
import { deviceStorage } from "./storage";

type RecentKind = "Entity" | "Question" | "Release" | "Model";

export interface RecentPlace {
  kind: RecentKind;
  title: string;
  url: string;
}

interface StoredPlaces {
  account: string;
  places: RecentPlace[];
}

const KEY = "serendib-recent";
const MAX_PLACES = 8;
const VISITOR = "visitor";

function readStored(account: string): RecentPlace[] {
  try {
    const stored = JSON.parse(deviceStorage.read(KEY) ?? "null") as StoredPlaces | null;
    return stored?.account === account && Array.isArray(stored.places) ? stored.places : [];
  } catch {
    return [];
  }
}

export const recentPlaces = (account: string | undefined) => readStored(account ?? VISITOR);

export function rememberPlace(account: string | undefined, place: RecentPlace): void {
  const others = recentPlaces(account).filter(({ url }) => url !== place.url);
  const stored: StoredPlaces = { account: account ?? VISITOR, places: [place, ...others].slice(0, MAX_PLACES) };
  deviceStorage.write(KEY, JSON.stringify(stored));
}

/** It is gone. */
export function forgetPlace(account: string | undefined, url: string): void {
  const places = recentPlaces(account).filter((one) => one.url !== url);
  deviceStorage.write(KEY, JSON.stringify({ account: account ?? VISITOR, places } satisfies StoredPlaces));
}

export const forgetPlaces = () => deviceStorage.remove(KEY);

/** Adds this page to the places opened last, once its title is known. */
export function useRecentPlace(kind: RecentKind, title: string | undefined, url: string): void {
  const me = useCurrentUser();
  const account = me?.id;
  const isKnown = me !== undefined;
  useEffect(() => {
    if (isKnown && title) rememberPlace(account, { kind, title, url });
  }, [isKnown, account, kind, title, url]);
}
