/** Signing in and out, over the sign-in service's own small protocol. */
import { fetchJson, type RequestOptions } from "./client";

const AUTH_BASE_URL = "/_allauth/browser/v1";

interface AuthFieldError {
  code: string;
  message: string;
  /** The field that it is about; absent when it is about all of them. */
  param?: string;
}

/** The sign-in service refused. */
export class AuthError extends Error {
  override readonly name = "Refused";
  constructor(
    readonly status: number,
    readonly errors: AuthFieldError[],
  ) {
    super(errors[0]?.message ?? `The sign-in service answered ${status}.`);
  }
}

interface AuthBody {
  data?: { flows?: { id: string; is_pending?: boolean }[] };
  errors?: AuthFieldError[];
}

/** Throws unless the status is 200, or the service did it although it is not. */
async function requestAuth(
  path: string,
  options: RequestOptions,
  isDone: (status: number, answer: AuthBody) => boolean = () => false,
): Promise<void> {
  const { status, body } = await fetchJson(`${AUTH_BASE_URL}/${path}`, options);
  const answer = (body ?? {}) as AuthBody;
  if (status !== 200 && !isDone(status, answer)) throw new AuthError(status, answer.errors ?? []);
}

export function signInWithPassword(email: string, password: string): Promise<void> {
  // 409: this browser is signed in already, in another tab.
  return requestAuth("auth/login", { method: "POST", json: { email, password } }, (status) => status === 409);
}

/** Answers alike whether or not the address has an account: the service does not reveal it. */
export function requestSignInCode(email: string): Promise<void> {
  return requestAuth("auth/code/request", { method: "POST", json: { email } }, (status, { data }) =>
    status === 401 && Boolean(data?.flows?.some((flow) => flow.id === "login_by_code" && flow.is_pending)));
}

export function confirmSignInCode(code: string): Promise<void> {
  return requestAuth("auth/code/confirm", { method: "POST", json: { code } });
}

export function signOut(): Promise<void> {
  // 401 is the service's word for 'nobody is signed in now'.
  return requestAuth("auth/session", { method: "DELETE" }, (status) => status === 401);
}

export function changePassword(current: string | null, next: string): Promise<void> {
  const json = { ...(current !== null && { current_password: current }), new_password: next };
  return requestAuth("account/password/change", { method: "POST", json });
}

export function requestPasswordReset(email: string): Promise<void> {
  return requestAuth("auth/password/request", { method: "POST", json: { email } });
}

export async function isResetKeyValid(key: string): Promise<boolean> {
  let isValid = true;
  await requestAuth("auth/password/reset", { headers: { "X-Password-Reset-Key": key } }, (status) => {
    isValid = status !== 400;
    return !isValid;
  });
  return isValid;
}

export function resetPassword(key: string, password: string): Promise<void> {
  // Done, and not signed in: the new password comes next.
  const isDone = (status: number, { errors }: AuthBody) => status === 401 && !errors;
  return requestAuth("auth/password/reset", { method: "POST", json: { key, password } }, isDone);
}
