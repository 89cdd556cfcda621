import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { Me } from "@/api/contract";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async () => (await call<{ user: Me | null }>("/api/v1/me")).user,
  staleTime: 60_000,
});

/** The signed-in person: undefined while unknown, null for a visitor. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data;
}
