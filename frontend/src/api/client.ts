/** HTTP requests to the API: JSON in, JSON out, problems as errors with a code. */
import type { components } from "./generated/schema";
import { sendForm } from "./sendForm";

export type FieldError = components["schemas"]["Fault"];

export interface ProblemBody {
  status: number;
  code: string;
  detail: string;
  errors: FieldError[];
  [extra: string]: unknown;
}

/** The server rejected the request. */
export class Problem extends Error {
  override readonly name = "Problem";
  constructor(
    readonly body: ProblemBody,
    /** How long to wait before the next attempt, where the server sets it. */
    readonly retryAfterMs: number | null = null,
    /** Whether it was a write that may be repeated. */
    readonly isIdempotentWrite = false,
  ) {
    super(body.detail);
  }
  get status(): number {
    return this.body.status;
  }
  get code(): string {
    return this.body.code;
  }
}

/** No complete response: offline, server unreachable, timed out, or the body was cut off. */
export class NetworkError extends Error {
  override readonly name = "Unreachable";
}

/** No request of this kind gets through now; what this device has stands in for the answer. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof Problem && error.status === 503);
}

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  json?: unknown;
  form?: FormData;
  /** A part of a file; `headers` state its type. */
  part?: Blob;
  /** Called with the share of the form that was sent. */
  onProgress?: (share: number) => void;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Let the request outlive the page; for small bodies only (browsers allow 64 kB in all). */
  keepalive?: boolean;
  /** A GET request has a timeout by default. */
  timeoutMs?: number;
  /** The CSRF token of the session that wrote this: rejected if somebody else has signed in since. */
  csrf?: string;
}

/** Longer than any computation that a page waits for. */
const GET_TIMEOUT_MS = 60_000;

const signedOutListeners = new Set<() => void>();

/** Called whenever a response is 401. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await requestWithStatus<T>(path, options)).body;
}

/** For requests whose success status matters: 202 for created, 200 for existing. */
export async function requestWithStatus<T>(path: string, options: RequestOptions = {}): Promise<{ status: number; body: T }> {
  const response = await fetchWithTimeout(path, options);
  const { status } = response;
  if (status === 204) return { status, body: undefined as T };
  const body = await readJson(response);
  if (response.ok) return { status, body: body as T };
  if (response.status === 401) for (const listener of signedOutListeners) listener();
  const isIdempotentWrite = options.method === "PUT" || options.method === "DELETE" || options.idempotencyKey !== undefined;
  throw new Problem(toProblem(response, body), parseRetryAfter(response.headers.get("Retry-After")), isIdempotentWrite);
}

/** Status and body, for the sign-in service, which answers by status rather than by problem. */
export async function fetchJson(path: string, options: RequestOptions = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetchWithTimeout(path, options);
  return { status: response.status, body: await readJson(response) };
}

async function fetchWithTimeout(path: string, options: RequestOptions): Promise<globalThis.Response> {
  const headers = new Headers({ ...options.headers, Accept: "application/json" });
  if (options.json !== undefined) headers.set("Content-Type", "application/json");
  if (options.idempotencyKey) headers.set("Idempotency-Key", options.idempotencyKey);
  const method = options.method ?? "GET";
  if (method !== "GET") headers.set("X-CSRFToken", options.csrf ?? csrfToken());
  const body = options.form ?? options.part ?? (options.json === undefined ? null : JSON.stringify(options.json));
  try {
    const { form, onProgress } = options;
    if (form && onProgress) return await sendForm(path, form, { method, headers, signal: abortSignal(options, method), onProgress });
    return await fetch(path, {
      method,
      headers,
      body,
      credentials: "same-origin",
      signal: abortSignal(options, method),
      keepalive: options.keepalive ?? false,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new NetworkError("The server did not answer.", { cause: error });
  }
}

function abortSignal({ signal, timeoutMs }: RequestOptions, method: string): AbortSignal | null {
  const limit = timeoutMs ?? (method === "GET" ? GET_TIMEOUT_MS : undefined);
  if (limit === undefined) return signal ?? null;
  const timeout = AbortSignal.timeout(limit);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

async function readJson(response: globalThis.Response): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw new NetworkError("The answer was cut off.", { cause: error });
  });
  if (!text) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The error page of a proxy, or half a body: not a response of this server.
    if (response.ok) throw new NetworkError("The answer could not be read.");
    return null;
  }
}

const MAX_RETRY_AFTER_MS = 60_000;

/** In seconds or as a date. Up to half as long again by chance, so that pages do not return all at once. */
export function parseRetryAfter(header: string | null, chance: number = Math.random()): number | null {
  if (!header) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS) * (1 + chance / 2);
}

function toProblem(response: globalThis.Response, body: unknown): ProblemBody {
  const known = typeof body === "object" && body !== null ? (body as Partial<ProblemBody>) : {};
  return {
    ...known,
    status: response.status,
    code: known.code ?? `http_${response.status}`,
    detail: known.detail ?? "The server could not do this.",
    errors: known.errors ?? [],
  };
}

/** The server issues a new one at every sign-in. */
export function csrfToken(): string {
  return /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}
