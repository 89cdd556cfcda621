import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isNotFound, errorMessage } from "@/lib/errorMessages";
import { Button } from "./Button";
import { Notice } from "./Notice";

interface Props<T> {
  query: UseQueryResult<T>;
  /** The true shape of what is coming. */
  skeleton: ReactNode;
  /** Shown instead of an empty list. */
  empty?: ReactNode;
  children: (data: T) => ReactNode;
}

/** What was read, or its shape while it is read, or what went wrong and one way on. */
export function QueryBoundary<T>({ query, skeleton, empty, children }: Props<T>) {
  if (empty && Array.isArray(query.data) && query.data.length === 0) return <>{empty}</>;
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (!query.isError) return <div aria-busy="true">{skeleton}</div>;
  return <LoadError error={query.error} onRetry={() => void query.refetch()} isBusy={query.isFetching} />;
}

export function LoadError({ error, onRetry, isBusy = false }: { error: unknown; onRetry: () => void; isBusy?: boolean }) {
  return (
    <Notice tone="bad">
      <p>{errorMessage(error)}</p>
      {!isNotFound(error) && (
        <div><Button onPress={onRetry} isDisabled={isBusy}>{isBusy ? "Trying" : "Try again"}</Button></div>
      )}
    </Notice>
  );
}
