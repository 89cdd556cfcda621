/**
 * The token of an invitation lives in the fragment, which no server log sees. Over a visit to
 * the sign-in page it is kept in this tab.
 */
import { inTab } from "./storage";

const KEY = "serendib-invitation";

export function invitationToken(hash: string): string | null {
  const token = hash.replace(/^#/, "");
  if (token) inTab.keep(KEY, token);
  return token || inTab.read(KEY);
}

export function forgetInvitation(): void {
  inTab.forget(KEY);
}
