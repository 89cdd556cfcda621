/**
 * The token of an invitation lives in the fragment, which no server log sees. Over a visit to
 * the sign-in page it is kept in this tab.
 */
const KEY = "serendib-invitation";

export function invitationToken(hash: string): string | null {
  const token = hash.replace(/^#/, "");
  if (token) sessionStorage.setItem(KEY, token);
  return token || sessionStorage.getItem(KEY);
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(KEY);
}
