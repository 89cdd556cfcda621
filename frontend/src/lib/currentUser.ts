import { queryOptions, useQuery } from "@tanstack/react-query";
import { request, isUnavailable } from "@/api/client";
import type { CurrentUser } from "@/api/contract";
import { lastAccount, storeLastAccount } from "./offline/lastAccount";
import { setSessionUser, getPageUser } from "./session";

/** A server that does not answer delays cached data by this at most. */
const REQUEST_TIMEOUT_MS = 5000;

/** Offline, the last user of this device: enough to open cached data. */
async function fetchCurrentUser(): Promise<CurrentUser | null> {
  try {
    const { user } = await request<{ user: CurrentUser | null }>("/api/v1/me", lastAccount() ? { timeoutMs: REQUEST_TIMEOUT_MS } : {});
    const shown = setSessionUser(user);
    if (user && shown === user) storeLastAccount(user);
    return shown;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const last = getPageUser() ?? lastUserOnDevice();
    if (last) return last;
    throw error;
  }
}

function lastUserOnDevice(): CurrentUser | null {
  const last = lastAccount();
  return last && setSessionUser(last);
}

export const currentUserQuery = queryOptions({
  queryKey: ["me"],
  queryFn: fetchCurrentUser,
  staleTime: 60_000,
});

/** The signed-in person: undefined while unknown, null for a visitor. */
export function useCurrentUser(): CurrentUser | null | undefined {
  return useQuery(currentUserQuery).data;
}
