import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { request } from "@/api/client";

interface CursorPage<T> {
  next: string | null;
  results: T[];
}

/** The cursor's own address, without the host that a proxy may have changed. */
function relativePath(next: string): string {
  const url = new URL(next, window.location.origin);
  return url.pathname + url.search;
}

/** A list that comes in parts; each part names the address of the next. */
export function useCursorList<T>(queryKey: readonly unknown[], path: string) {
  return useInfiniteQuery({
    queryKey,
    initialPageParam: path,
    queryFn: ({ pageParam }) => request<CursorPage<T>>(pageParam),
    // A search that changes leaves the last list in sight until the next one is here.
    placeholderData: keepPreviousData,
    getNextPageParam: (last) => (last.next ? relativePath(last.next) : undefined),
    select: (read) => read.pages.flatMap((page) => page.results),
  });
}
