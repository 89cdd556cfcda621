import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { readQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";

export type ApiToken = components["schemas"]["ApiToken"];
type CreatedApiToken = components["schemas"]["CreatedApiToken"];
export type TokenScope = ApiToken["scope"];

const TOKENS_URL = "/api/v1/tokens";

export const tokensQuery = readQuery<ApiToken[]>(["tokens"], TOKENS_URL);

export function useCreateToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (fields: { name: string; scope: TokenScope; expires_in_days: number }) => request<CreatedApiToken>(TOKENS_URL, { method: "POST", json: fields }),
    onSuccess: () => queries.invalidateQueries(tokensQuery),
  });
}

export function useRevokeToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<ApiToken>(`${TOKENS_URL}/${id}`, { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries(tokensQuery),
  });
}

type TokenState = "usable" | "revoked" | "expired";

export function tokenState(token: ApiToken, now: number): TokenState {
  if (token.revoked_at) return "revoked";
  return Date.parse(token.expires_at) > now ? "usable" : "expired";
}
