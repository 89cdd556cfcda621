import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Page } from "./Page";
import { QueryBoundary } from "./QueryBoundary";
import { SkeletonRows } from "./SkeletonRows";
import { useRetry } from "./useRetry";

interface Props<T> {
  query: UseQueryResult<T>;
  /** Until the data name the page. */
  title: string;
  parent?: { to: string; label: string };
  rows?: number;
  children: (data: T) => ReactNode;
}

/** A page of one thing: its own heading once it is read, and a heading above the skeleton or the fault before. */
export function PageBoundary<T>({ query, rows = 5, children, ...page }: Props<T>) {
  const { retry, start } = useRetry(query);
  if (query.data !== undefined) return <>{start}{children(query.data)}</>;
  return (
    <>
      {start}
      <Page {...page}>
        <QueryBoundary query={query} skeleton={<SkeletonRows rows={rows} />} onRetry={retry}>{children}</QueryBoundary>
      </Page>
    </>
  );
}
