import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { NetworkError } from "@/api/client";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";

interface Props<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** Evidence, or why it is not there: still loading, no network, or refused. Answering goes on in all three. */
export function EvidenceBoundary<T>({ query, children }: Props<T>) {
  if (query.data === undefined && query.error instanceof NetworkError) {
    return (
      <Notice tone="warn">
        <p>Evidence needs a connection. Your answer does not: go on, and it is sent later.</p>
        <div>
          <Button onPress={() => void query.refetch()} isDisabled={query.isFetching}>
            {query.isFetching ? "Trying" : "Try again"}
          </Button>
        </div>
      </Notice>
    );
  }
  const skeleton = <div aria-label="Loading the evidence"><SkeletonRows rows={4} /></div>;
  return <QueryBoundary query={query} skeleton={skeleton}>{children}</QueryBoundary>;
}
