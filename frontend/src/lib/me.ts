import { queryOptions, useQuery } from "@tanstack/react-query";
import { call, Unreachable } from "@/api/client";
import type { Me } from "@/api/contract";
import { lastAccount, rememberAccount } from "./offline/account";
import { heardOf, worksHere } from "./session";

/** So long a server that holds still keeps her from what is on this device. */
const PATIENCE_MS = 5000;

/** Without a network it is whoever worked here last: enough to open what is kept on this device. */
async function readMe(): Promise<Me | null> {
  try {
    const { user } = await call<{ user: Me | null }>("/api/v1/me", lastAccount() ? { timeoutMs: PATIENCE_MS } : {});
    const shown = heardOf(user);
    if (user && shown === user) rememberAccount(user);
    return shown;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const last = worksHere() ?? rememberedHere();
    if (last) return last;
    throw error;
  }
}

function rememberedHere(): Me | null {
  const last = lastAccount();
  return last && heardOf(last);
}

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: readMe,
  staleTime: 60_000,
});

/** The signed-in person: undefined while unknown, null for a visitor. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data;
}
