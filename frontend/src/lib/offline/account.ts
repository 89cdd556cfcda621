/** Who worked here last: lets the page open without a network, as nobody else. */
import type { Id, Me } from "@/api/contract";

const KEY = "serendib-last-account";

export function lastAccount(): Me | null {
  try {
    return read(localStorage.getItem(KEY));
  } catch (error) {
    // Storage is switched off: then nobody is known.
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export function rememberAccount(me: Me): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(me));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

export function forgetLastAccount(account: Id): void {
  if (lastAccount()?.id === account) localStorage.removeItem(KEY);
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
