import { QueryClient, type InvalidateOptions, type InvalidateQueryFilters } from "@tanstack/react-query";
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
 * TanStack starts a request again that is under way when its data become stale, but not the first one of
 * a query, whose answer may be from before the change: then the page would show it for good.
 */
class ConsistentQueryClient extends QueryClient {
  readonly #followed = new Set<string>();

  override async invalidateQueries(filters: InvalidateQueryFilters = {}, options: InvalidateOptions = {}): Promise<void> {
    const underWay = this.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" });
    const first = underWay.filter(({ state, queryHash }) => state.data === undefined && !this.#followed.has(queryHash));
    for (const { queryHash } of first) this.#followed.add(queryHash);
    await super.invalidateQueries(filters, options);
    for (const { queryHash } of first) this.#followed.delete(queryHash);
    await Promise.all(first.map(({ queryKey }) => super.invalidateQueries({ queryKey, exact: true }, options)));
  }
}

/**
 * Offline, requests fail at once instead of being queued: nothing is sent later without the user.
 * Failed reads are repeated when the network is back.
 */
export function createQueryClient(): QueryClient {
  return new ConsistentQueryClient({
    defaultOptions: {
      queries: { networkMode: "always", refetchOnReconnect: true, retry: shouldRetry, retryDelay: retryDelayMs, staleTime: 10_000 },
      mutations: { networkMode: "always", retry: shouldRetryWrite, retryDelay: retryDelayMs },
    },
  });
}
