/**
 * The token of an invitation lives in the fragment, which no server log sees. Over a visit to
 * the sign-in page it is kept in this tab.
 */
import { tabStorage } from "@/lib/storage";

const STORAGE_KEY = "serendib-invitation";

export function readInvitationToken(hash: string): string | null {
  const token = hash.replace(/^#/, "");
  if (token) tabStorage.write(STORAGE_KEY, token);
  return token || tabStorage.read(STORAGE_KEY);
}

export function clearInvitationToken(): void {
  tabStorage.remove(STORAGE_KEY);
}
