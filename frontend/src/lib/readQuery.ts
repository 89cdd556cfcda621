import { queryOptions, type QueryKey } from "@tanstack/react-query";
import { request } from "@/api/client";

interface ReadOptions {
  staleTime?: number;
  gcTime?: number;
  enabled?: boolean;
}

/** A GET request as a query. */
export function readQuery<T>(queryKey: QueryKey, url: string, options: ReadOptions = {}) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => request<T>(url, { signal }), ...options });
}

/** The same for a list that comes whole. */
export function readListQuery<T>(queryKey: QueryKey, url: string, options: ReadOptions = {}) {
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => (await request<{ results: T[] }>(url, { signal })).results,
    ...options,
  });
}
