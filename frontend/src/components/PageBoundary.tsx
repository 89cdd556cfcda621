import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Page } from "./Page";
import { QueryBoundary } from "./QueryBoundary";
import { SkeletonRows } from "./SkeletonRows";

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
  if (query.data !== undefined) return <>{children(query.data)}</>;
  return (
    <Page {...page}>
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={rows} />}>{children}</QueryBoundary>
    </Page>
  );
}
