/** Who worked here last: lets the page open without a network, as nobody else. */
import type { Id, Me } from "@/api/contract";
import { onDevice } from "@/lib/storage";

const KEY = "serendib-last-account";

export function lastAccount(): Me | null {
  return read(onDevice.read(KEY));
}

export function rememberAccount(me: Me): void {
  onDevice.keep(KEY, JSON.stringify(me));
}

export function forgetLastAccount(account: Id): void {
  if (lastAccount()?.id === account) onDevice.forget(KEY);
}

/** Told when another tab signs out, or signs in somebody else. */
export function onAccountChanged(listener: (now: Me | null) => void): void {
  window.addEventListener("storage", (event) => {
    if (event.key === KEY) listener(read(event.newValue));
  });
}

function read(text: string | null): Me | null {
  if (!text) return null;
  try {
    return JSON.parse(text) as Me;
  } catch (error) {
    // Something else wrote there.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
