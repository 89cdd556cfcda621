import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

type Attempt = Pick<UseQueryResult, "isLoading" | "isFetched" | "failureCount">;

/** Until a first attempt has answered or failed: a page that waits for it is not held up by retries. */
export function isFirstAttempt({ isLoading, isFetched, failureCount }: Attempt): boolean {
  return isLoading && !isFetched && failureCount === 0;
}

/** The same for a query whose key changes: a form that was shown once is not hidden again, with what is open and focused in it. */
export function useFirstAttempt(query: Attempt): boolean {
  const [hasEnded, setHasEnded] = useState(false);
  const isFirst = isFirstAttempt(query);
  if (!isFirst && !hasEnded) setHasEnded(true);
  return isFirst && !hasEnded;
}
