import { useIsFetching, useIsMutating, useQueryClient, type Mutation, type Query } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Problem } from "@/api/client";
import { Notice } from "@/components/Notice";
import { retryDelayMs } from "@/lib/queryClient";
import { useIsSlow } from "@/lib/useIsSlow";
import styles from "./Shell.module.css";

interface Retry {
  error: Error;
  at: number;
}

/** What keeps the page or the next one from loading, or a change from being stored: a failed attempt or a slow server. */
export function RetryNotice({ isNavigating = false }: { isNavigating?: boolean }) {
  const retry = useRetry();
  const loadsSlowly = useIsSlow(useIsFetching({ predicate: isLoading }) > 0 || isNavigating);
  const sendsSlowly = useIsSlow(useIsMutating({ predicate: isShort }) > 0);
  if (!retry && !loadsSlowly && !sendsSlowly) return null;
  return (
    <div className={styles.retry}>
      <Notice tone="warn">
        {retry ? (
          <p>
            {retry.error instanceof Problem ? retry.error.message : "The server did not answer."} Trying again
            <Countdown key={retry.at} until={retry.at} />.
          </p>
        ) : <p>The server is slow to answer. {sendsSlowly ? "Your change is still being sent." : "This page is still loading."}</p>}
      </Notice>
    </div>
  );
}

/** Hidden from screen readers, which would read every second. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1000);
  return seconds > 0 && <span aria-hidden> in {seconds} s</span>;
}

/** The others show their own progress, or are expected to take long. */
const isShort = ({ meta }: Mutation) => meta?.isLong !== true;

const isLoading = (query: Query) => query.isActive() && query.state.data === undefined && query.state.fetchStatus === "fetching";

/** The last failed attempt that will be repeated: of a query that has no data yet, or of a write. */
function useRetry(): Retry | null {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const [retry, setRetry] = useState<Retry | null>(null);
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type !== "updated") return;
        const { failureReason, failureCount, status } = event.mutation.state;
        if (status !== "pending") setRetry(null);
        else if (failureReason) setRetry({ error: failureReason, at: Date.now() + retryDelayMs(failureCount - 1, failureReason) });
      }),
    [client],
  );
  useEffect(
    () =>
      cache.subscribe((event) => {
        // The others come while pages are drawn, and change no query.
        if (!["updated", "removed", "observerRemoved"].includes(event.type)) return;
        if (event.type === "updated" && event.action.type === "failed") {
          const { error, failureCount } = event.action;
          if (isLoading(event.query)) setRetry({ error, at: Date.now() + retryDelayMs(failureCount - 1, error) });
        } else if (!cache.getAll().some((query) => isLoading(query) && query.state.fetchFailureCount > 0)) {
          setRetry(null);
        }
      }),
    [cache],
  );
  return retry;
}
