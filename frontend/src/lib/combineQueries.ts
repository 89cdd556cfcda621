import type { UseQueryResult } from "@tanstack/react-query";

/** Many reads as one; a retry repeats those that failed. */
export function combineQueries<T>(all: UseQueryResult<T>[]) {
  return {
    data: all.map(({ data }) => data),
    isLoading: all.some(({ isFetching }) => isFetching),
    isComplete: all.every(({ data }) => data !== undefined),
    error: all.find(({ isError }) => isError)?.error ?? null,
    retry: () => {
      for (const query of all) if (query.isError) void query.refetch();
    },
  };
}
