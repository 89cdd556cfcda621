/** Whether the browser's session is this account's, asked anew whenever there is reason to doubt it. */
import { call, csrfToken } from "@/api/client";
import type { Id, Me } from "@/api/contract";
import { heardOf } from "@/lib/session";
import { verdictOn } from "./verdict";

export type Whose = "hers" | "signed_out" | "other_account" | "unknown";

export class Identity {
  /** The token that she was last seen with: another sign-in in this browser makes another. */
  #token: string | null = null;
  /** The same, kept through doubts: for what cannot wait for an answer. */
  #last: string | null = null;

  constructor(
    private readonly account: Id,
    private readonly answerMs: number,
  ) {}

  /** Without asking: nothing was doubted since, and nobody signed in since. */
  get isSure(): boolean {
    return this.#token === csrfToken();
  }

  /** Nobody signed in since she was last seen; whether she signed out is not known. */
  get isUnchanged(): boolean {
    return this.#last === csrfToken();
  }

  doubt(): void {
    this.#token = null;
  }

  async ask(): Promise<Whose> {
    if (this.isSure) return "hers";
    const token = csrfToken();
    try {
      const { user } = await call<{ user: Me | null }>("/api/v1/me", { timeoutMs: this.answerMs });
      heardOf(user);
      if (user?.id !== this.account) return user ? "other_account" : "signed_out";
    } catch (error) {
      const { kind } = verdictOn(error);
      return kind === "again" || kind === "failed" ? "unknown" : "signed_out";
    }
    // Where another token came meanwhile, the answer may be about somebody who has left since.
    this.#token = this.#last = token;
    return this.ask();
  }
}
