import { useEffect } from "react";
import type { Id } from "@/api/contract";
import { useCurrentUser } from "@/lib/currentUser";

/** Sends on every page, for the account that is signed in; visitors load none of it. */
export function BackgroundSync(): null {
  const account = useCurrentUser()?.id;
  useEffect(() => {
    if (account) void startSending(account);
  }, [account]);
  return null;
}

/** The outbox compares answers as their kinds do. */
async function startSending(account: Id): Promise<void> {
  const [{ engineFor }] = await Promise.all([import("@/lib/offline"), import("@/study-kinds/registry")]);
  await engineFor(account);
}
