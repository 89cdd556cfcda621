/** Signing in and out, over the sign-in service's own small protocol. */
import { exchange, type Call } from "./client";

const BASE = "/_allauth/browser/v1";

export interface AuthFault {
  code: string;
  message: string;
  /** The field that it is about; absent when it is about all of them. */
  param?: string;
}

/** The sign-in service answered, and said no. */
export class Refused extends Error {
  override readonly name = "Refused";
  constructor(
    readonly status: number,
    readonly faults: AuthFault[],
  ) {
    super(faults[0]?.message ?? `The sign-in service answered ${status}.`);
  }
}

interface Flow {
  id: string;
  is_pending?: boolean;
}

interface Answer {
  data?: { flows?: Flow[] };
  errors?: AuthFault[];
}

async function ask(path: string, options: Call): Promise<{ status: number; answer: Answer }> {
  const { status, body } = await exchange(`${BASE}/${path}`, options);
  return { status, answer: (body ?? {}) as Answer };
}

/** What is left when the service neither did it nor left a step to do. */
function refuse(status: number, answer: Answer): never {
  throw new Refused(status, answer.errors ?? []);
}

export async function signInWithPassword(email: string, password: string): Promise<void> {
  const { status, answer } = await ask("auth/login", { method: "POST", json: { email, password } });
  // 409: this browser is signed in already, in another tab.
  if (status !== 200 && status !== 409) refuse(status, answer);
}

/** Answers alike whether or not the address has an account: the service does not tell. */
export async function requestCode(email: string): Promise<void> {
  const { status, answer } = await ask("auth/code/request", { method: "POST", json: { email } });
  const waiting = answer.data?.flows?.some((flow) => flow.id === "login_by_code" && flow.is_pending);
  if (status !== 200 && !(status === 401 && waiting)) refuse(status, answer);
}

export async function confirmCode(code: string): Promise<void> {
  const { status, answer } = await ask("auth/code/confirm", { method: "POST", json: { code } });
  if (status !== 200) refuse(status, answer);
}

export async function signOut(): Promise<void> {
  const { status, answer } = await ask("auth/session", { method: "DELETE" });
  // 401 is the service's word for 'nobody is signed in now'.
  if (status !== 200 && status !== 401) refuse(status, answer);
}

export async function changePassword(current: string | null, next: string): Promise<void> {
  const json = { ...(current !== null && { current_password: current }), new_password: next };
  const { status, answer } = await ask("account/password/change", { method: "POST", json });
  if (status !== 200) refuse(status, answer);
}

export async function requestReset(email: string): Promise<void> {
  const { status, answer } = await ask("auth/password/request", { method: "POST", json: { email } });
  if (status !== 200) refuse(status, answer);
}

/** Whether the key of a reset link still works. */
export async function resetKeyWorks(key: string): Promise<boolean> {
  const { status, answer } = await ask("auth/password/reset", {
    headers: { "X-Password-Reset-Key": key },
  });
  if (status === 400) return false;
  return status === 200 || refuse(status, answer);
}

export async function resetPassword(key: string, password: string): Promise<void> {
  const { status, answer } = await ask("auth/password/reset", { method: "POST", json: { key, password } });
  // Done, and not signed in: the new password is asked for next.
  if (status !== 200 && !(status === 401 && !answer.errors)) refuse(status, answer);
}
