/** One way to talk to the server: JSON in, JSON out, problems as errors with a code. */

export interface Fault {
  place: string;
  message: string;
  code: string;
  expected: string;
}

export interface ProblemBody {
  status: number;
  code: string;
  detail: string;
  errors: Fault[];
  [extra: string]: unknown;
}

/** The server answered, and said no. */
export class Problem extends Error {
  override readonly name = "Problem";
  constructor(readonly body: ProblemBody) {
    super(body.detail);
  }
  get status(): number {
    return this.body.status;
  }
  get code(): string {
    return this.body.code;
  }
}

/** No answer came: offline, the server is away, or the answer was cut off. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  json?: unknown;
  form?: FormData;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Let the request outlive the page; for small bodies only (browsers allow 64 kB in all). */
  keepalive?: boolean;
  /** A server that holds still is one that does not answer. */
  timeoutMs?: number;
  /** The token that the sender was seen with: refused if someone else signed in since. */
  csrf?: string;
}

const listeners = new Set<() => void>();

/** Called whenever the server says that the session is gone. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export async function call<T>(path: string, options: Call = {}): Promise<T> {
  return (await callWithStatus<T>(path, options)).body;
}

/** For an answer whose status says more than that all is well: 202 is new, 200 was there. */
export async function callWithStatus<T>(path: string, options: Call = {}): Promise<{ status: number; body: T }> {
  const response = await send(path, options);
  const { status } = response;
  if (status === 204) return { status, body: undefined as T };
  const body = await readJson(response);
  if (response.ok) return { status, body: body as T };
  if (response.status === 401) for (const listener of listeners) listener();
  throw new Problem(asProblem(response, body));
}

/** The bare answer, for the sign-in service, which speaks in statuses rather than problems. */
export async function exchange(path: string, options: Call = {}): Promise<{ status: number; body: unknown }> {
  const response = await send(path, options);
  return { status: response.status, body: await readJson(response) };
}

async function send(path: string, options: Call): Promise<globalThis.Response> {
  const headers = new Headers({ ...options.headers, Accept: "application/json" });
  if (options.json !== undefined) headers.set("Content-Type", "application/json");
  if (options.idempotencyKey) headers.set("Idempotency-Key", options.idempotencyKey);
  const method = options.method ?? "GET";
  if (method !== "GET") headers.set("X-CSRFToken", options.csrf ?? csrfToken());
  const body = options.form ?? (options.json === undefined ? null : JSON.stringify(options.json));
  try {
    return await fetch(path, {
      method,
      headers,
      body,
      credentials: "same-origin",
      signal: options.signal ?? (options.timeoutMs ? AbortSignal.timeout(options.timeoutMs) : null),
      keepalive: options.keepalive ?? false,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Unreachable("The server did not answer.", { cause: error });
  }
}

async function readJson(response: globalThis.Response): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw new Unreachable("The answer was cut off.", { cause: error });
  });
  if (!text) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A proxy's error page, or a half answer: not this server's word either way.
    if (response.ok) throw new Unreachable("The answer could not be read.");
    return null;
  }
}

function asProblem(response: globalThis.Response, body: unknown): ProblemBody {
  const known = typeof body === "object" && body !== null ? (body as Partial<ProblemBody>) : {};
  return {
    ...known,
    status: response.status,
    code: known.code ?? `http_${response.status}`,
    detail: known.detail ?? "The server could not do this.",
    errors: known.errors ?? [],
  };
}

/** The server makes a new one at every sign-in. */
export function csrfToken(): string {
  return /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}
