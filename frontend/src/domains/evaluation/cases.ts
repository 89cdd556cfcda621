import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";

export type CasePage = components["schemas"]["CasePage"];
export type JudgedCase = components["schemas"]["JudgedCase"];

export interface CaseFilter {
  outcome: string;
  group: string;
  text: string;
}

/** Cases of a result in parts; the first part has the counts. */
export function useCases(result: string, filter: CaseFilter) {
  return useInfiniteQuery({
    queryKey: ["results", result, "cases", filter],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) => request<CasePage>(casesUrl(result, filter, pageParam), { signal }),
    // A filter that changes leaves the last list in sight until the next one is here.
    placeholderData: keepPreviousData,
    getNextPageParam: (last) => last.next,
  });
}

export function casesUrl(result: string, filter: CaseFilter, after: number | null): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
  if (after !== null) query.set("after", String(after));
  return `/api/v1/results/${result}/cases?${query}`;
}
