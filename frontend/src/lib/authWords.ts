import { Refused } from "@/api/auth";
import { Unreachable } from "@/api/client";

const WAIT = "Too many attempts for this account. Wait five minutes, then try again.";
const STALE = "This page is out of date. Load it again, then try once more.";

const AWAY = "The server could not do this now. Try again in a minute.";
const NOT_KEPT =
  "You were signed in, but this browser did not keep it. Allow cookies for this site, then sign in again.";

/** The service signed her in, and the browser forgot it at once. */
export class NotKept extends Error {
  override readonly name = "NotKept";
}

const SENTENCES: Record<string, string> = {
  email_password_mismatch:
    "This e-mail address and this password do not belong together. Check both, or sign in with a code.",
  too_many_login_attempts: WAIT,
  rate_limited: WAIT,
  incorrect_code: "That is not the code. Take it from the newest message; it works for ten minutes.",
  enter_current_password: "That is not the current password.",
  account_inactive: "This account is closed. Ask the person who invited you.",
  invalid: "This is not an e-mail address. An example: name@hospital.org",
  required: "Fill this in.",
};

/** What the sign-in service's refusal means, and what to do about it. */
export function authSentence(error: unknown): string {
  if (error instanceof Unreachable) return "The server did not answer. Check the connection and try again.";
  if (error instanceof NotKept) return NOT_KEPT;
  if (!(error instanceof Refused)) return "This did not work. Load the page again, then try once more.";
  const fault = error.faults[0];
  if (fault) return SENTENCES[fault.code] ?? fault.message;
  if (error.status === 429) return WAIT;
  return error.status >= 500 ? AWAY : STALE;
}

/** The same for a code. 409: none is waited for any more; it ran out or was tried too often. */
export function codeSentence(error: unknown): string {
  if (error instanceof Refused && error.status === 409) {
    return "This code no longer works: ten minutes have passed, or it was tried too often. Send a new code.";
  }
  return authSentence(error);
}

/** The sentence for one field, where the service named that field. */
export function authFieldSentence(error: unknown, param: string): string | undefined {
  if (!(error instanceof Refused)) return undefined;
  const fault = error.faults.find((one) => one.param === param);
  return fault && (SENTENCES[fault.code] ?? fault.message);
}
