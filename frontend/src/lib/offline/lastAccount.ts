/** The account last used on this device, so that the page opens for it without a network. */
import type { Id, CurrentUser } from "@/api/contract";
import { deviceStorage } from "@/lib/storage";

const STORAGE_KEY = "serendib-last-account";

export function lastAccount(): CurrentUser | null {
  return parseAccount(deviceStorage.read(STORAGE_KEY));
}

export function storeLastAccount(user: CurrentUser): void {
  deviceStorage.write(STORAGE_KEY, JSON.stringify(user));
}

export function clearLastAccount(account: Id): void {
  if (lastAccount()?.id === account) deviceStorage.remove(STORAGE_KEY);
}

/** Calls the listener when another tab signs out, or signs in another account. */
export function onAccountChanged(listener: (user: CurrentUser | null) => void): void {
  window.addEventListener("storage", (event) => {
    if (event.key === STORAGE_KEY) listener(parseAccount(event.newValue));
  });
}

function parseAccount(text: string | null): CurrentUser | null {
  if (!text) return null;
  try {
    return JSON.parse(text) as CurrentUser;
  } catch (error) {
    // Not written by this application.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
