import { useQueryClient } from "@tanstack/react-query";
import { request, type RequestOptions } from "@/api/client";
import { ownTeamQuery } from "@/domains/accounts/teams";
import { useMutation } from "@/lib/useMutation";

interface TeamChange {
  method: Exclude<RequestOptions["method"], undefined>;
  /** Below the team's address. */
  path?: string;
  json?: Record<string, string>;
}

/** One change of the team; what depends on it is read again. */
export function useChangeTeam() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path = "", json }: TeamChange) =>
      request<unknown>(`/api/v1/team${path}`, { method, ...(json && { json }) }),
    onSuccess: () => Promise.all([
      queries.invalidateQueries(ownTeamQuery),
      ...["models", "submissions", "releases"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
    ]),
  });
}
