import { AuthError } from "@/api/auth";
import { NetworkError } from "@/api/client";

const RATE_LIMITED = "Too many attempts for this account. Wait five minutes, then try again.";
const SESSION_EXPIRED = "This page is out of date. Reload it, then try again.";

const SERVER_UNREACHABLE = "The server is not available now. Try again in a minute.";
const COOKIES_BLOCKED = "You were signed in, but this browser did not keep it. Allow cookies for this site, then sign in again.";

/** Sign-in succeeded, but the browser did not store the cookie. */
export class SessionNotStored extends Error {
  override readonly name = "SessionNotStored";
}

const AUTH_MESSAGES: Record<string, string> = {
  email_password_mismatch: "Wrong e-mail address or password. Check both, or sign in with a code.",
  too_many_login_attempts: RATE_LIMITED,
  rate_limited: RATE_LIMITED,
  incorrect_code: "This code is wrong. Use the code from the newest message; it works for ten minutes.",
  enter_current_password: "The current password is wrong.",
  account_inactive: "This account is closed. Ask the person who invited you.",
  invalid: "This is not an e-mail address. An example: name@hospital.org",
  required: "Fill this in.",
};

/** What the sign-in service's refusal means, and what to do about it. */
export function authMessage(error: unknown): string {
  if (error instanceof NetworkError) return "The server did not answer. Check the connection and try again.";
  if (error instanceof SessionNotStored) return COOKIES_BLOCKED;
  if (!(error instanceof AuthError)) return "This failed. Reload the page, then try again.";
  const fault = error.errors[0];
  if (fault) return AUTH_MESSAGES[fault.code] ?? fault.message;
  if (error.status === 429) return RATE_LIMITED;
  return error.status >= 500 ? SERVER_UNREACHABLE : SESSION_EXPIRED;
}

/** The same for a code. 409: none is waited for any more; it ran out or was tried too often. */
export function codeMessage(error: unknown): string {
  if (error instanceof AuthError && error.status === 409) {
    return "This code no longer works: ten minutes have passed, or it was tried too often. Send a new code.";
  }
  return authMessage(error);
}

/** The sentence for one field, where the service named that field. */
export function authFieldMessage(error: unknown, param: string): string | undefined {
  if (!(error instanceof AuthError)) return undefined;
  const fault = error.errors.find((one) => one.param === param);
  return fault && (AUTH_MESSAGES[fault.code] ?? fault.message);
}
