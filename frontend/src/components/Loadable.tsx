import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isMissing, sentenceOf } from "@/lib/problems";
import { Button } from "./Button";
import { Notice } from "./Notice";

interface Props<T> {
  query: UseQueryResult<T>;
  /** The true shape of what is coming. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** What was read, or its shape while it is read, or what went wrong and one way on. */
export function Loadable<T>({ query, skeleton, children }: Props<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (!query.isError) return <div aria-busy="true">{skeleton}</div>;
  return (
    <Failure error={query.error} onRetry={() => void query.refetch()} busy={query.isFetching} />
  );
}

interface FailureProps {
  error: unknown;
  onRetry: () => void;
  busy?: boolean;
}

export function Failure({ error, onRetry, busy = false }: FailureProps) {
  return (
    <Notice tone="bad">
      <p>{sentenceOf(error)}</p>
      {!isMissing(error) && (
        <div>
          <Button onPress={onRetry} isDisabled={busy}>
            {busy ? "Trying" : "Try again"}
          </Button>
        </div>
      )}
    </Notice>
  );
}
