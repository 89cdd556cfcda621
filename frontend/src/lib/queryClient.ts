import { QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/client";

const MAX_RETRIES = 3;
/** Where the server sets when to try again, as while its database restarts: half a minute or more. */
const MAX_RETRIES_WHILE_UNAVAILABLE = 6;

const hasRetryTime = (error: Error) => error instanceof Problem && error.status === 503 && error.retryAfterMs !== null;

/** Retries server errors and timeouts. A 4xx is final, and so is being offline. */
function shouldRetry(failures: number, error: Error): boolean {
  const isFinal = error instanceof Problem && error.status < 500;
  const limit = hasRetryTime(error) ? MAX_RETRIES_WHILE_UNAVAILABLE : MAX_RETRIES;
  return !isFinal && navigator.onLine && failures < limit;
}

/** A write is repeated only where the server did not accept it, and a second time would change nothing. */
function shouldRetryWrite(failures: number, error: Error): boolean {
  return hasRetryTime(error) && (error as Problem).isIdempotentWrite && shouldRetry(failures, error);
}

/** Before retry `attempt`, counted from 0: 1, 2 and 4 s, or the server's `Retry-After`. */
export function retryDelayMs(attempt: number, error: Error): number {
  return error instanceof Problem && error.retryAfterMs !== null ? error.retryAfterMs : 1000 * 2 ** attempt;
}

/**
 * Offline, requests fail at once instead of being queued: nothing is sent later without the user.
 * Failed reads are repeated when the network is back.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: "always", refetchOnReconnect: true, retry: shouldRetry, retryDelay: retryDelayMs, staleTime: 10_000 },
      mutations: { networkMode: "always", retry: shouldRetryWrite, retryDelay: retryDelayMs },
    },
  });
}
