/** Verifies that the browser's session is this account's, again whenever it may have changed. */
import { request, csrfToken } from "@/api/client";
import type { Id, CurrentUser } from "@/api/contract";
import { setSessionUser } from "@/lib/session";
import { classifyError } from "./classifyError";

type SessionOwner = "same_user" | "signed_out" | "other_account" | "unknown";

export class SessionCheck {
  /** The CSRF token of the verified session: another sign-in in this browser makes another. */
  #verifiedToken: string | null = null;
  /** The same, not cleared by `invalidate`: for requests that cannot wait for a verification. */
  #lastVerifiedToken: string | null = null;

  /** Why the last verification had no result. */
  lastError: unknown = null;

  constructor(
    private readonly account: Id,
    private readonly timeoutMs: number,
  ) {}

  /** Whether the session was verified and nobody signed in since, known without a request. */
  get isVerified(): boolean {
    return this.#verifiedToken === csrfToken();
  }

  /** Whether nobody signed in since the last verification; the account may have signed out. */
  get isUnchanged(): boolean {
    return this.#lastVerifiedToken === csrfToken();
  }

  invalidate(): void {
    this.#verifiedToken = null;
  }

  async verify(): Promise<SessionOwner> {
    if (this.isVerified) return "same_user";
    const token = csrfToken();
    try {
      const { user } = await request<{ user: CurrentUser | null }>("/api/v1/me", { timeoutMs: this.timeoutMs });
      setSessionUser(user);
      if (user?.id !== this.account) return user ? "other_account" : "signed_out";
    } catch (error) {
      this.lastError = error;
      const { kind } = classifyError(error);
      return kind === "unavailable" || kind === "server_error" ? "unknown" : "signed_out";
    }
    // If the token changed meanwhile, the answer may be about an earlier session.
    this.#verifiedToken = this.#lastVerifiedToken = token;
    return this.verify();
  }
}
