/** Who worked here last: lets the page open without a network, as nobody else. */
import type { Id, Me } from "@/api/contract";
import { kept } from "./database";

const KEY = "serendib-last-account";

export function lastAccount(): Me | null {
  try {
    const text = localStorage.getItem(KEY);
    return text ? (JSON.parse(text) as Me) : null;
  } catch (error) {
    // Storage is switched off, or something else wrote there: then nobody is known.
    if (error instanceof DOMException || error instanceof SyntaxError) return null;
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

/** On sign-out: what she could read goes, what she has not sent yet stays, for her alone. */
export async function forgetAccount(account: Id | undefined = lastAccount()?.id): Promise<void> {
  if (!account) return;
  if (lastAccount()?.id === account) localStorage.removeItem(KEY);
  await (await kept()).forget(account);
}
