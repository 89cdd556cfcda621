import type { UseQueryResult } from "@tanstack/react-query";

/** Until a first attempt has answered or failed: a page that waits for it is not held up by retries. */
export function isFirstAttempt({ isLoading, isFetched, failureCount }: Pick<UseQueryResult, "isLoading" | "isFetched" | "failureCount">): boolean {
  return isLoading && !isFetched && failureCount === 0;
}
