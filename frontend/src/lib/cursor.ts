import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "@/api/client";

interface Slice<T> {
  next: string | null;
  results: T[];
}

/** The cursor's own address, without the host that a proxy may have changed. */
export function pathOf(next: string): string {
  const url = new URL(next, window.location.origin);
  return url.pathname + url.search;
}

/** A list that comes in parts; each part names the address of the next. */
export function useCursorList<T>(queryKey: readonly unknown[], path: string) {
  return useInfiniteQuery({
    queryKey,
    initialPageParam: path,
    queryFn: ({ pageParam }) => call<Slice<T>>(pageParam),
    getNextPageParam: (last) => (last.next ? pathOf(last.next) : undefined),
    select: (read) => read.pages.flatMap((page) => page.results),
  });
}
