import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Dashboard, Id } from "@/api/contract";
import { invitationsKey } from "@/domains/accounts/invitations/invitations";
import { dashboardKey } from "@/domains/studies/dashboardKey";
import { coalesce } from "@/lib/coalesce";
import { currentUserQuery } from "@/lib/currentUser";
import type { ConnectionState } from "@/lib/ReconnectingSocket";
import { useSocket } from "@/lib/useSocket";
import { invitationsPath } from "./queries";

const MIN_REFETCH_GAP_MS = 400;

/** Refetches the dashboard and its invitations when the server announces a change. */
export function useLiveUpdates(study: Id): ConnectionState {
  const queryClient = useQueryClient();
  const { refetchDashboard, refetchInvitations } = useMemo(() => {
    const refetcher = (queryKey: string[]) => coalesce(() => queryClient.invalidateQueries({ queryKey }), MIN_REFETCH_GAP_MS);
    return {
      refetchDashboard: refetcher(dashboardKey(study)),
      refetchInvitations: refetcher(invitationsKey(invitationsPath(study))),
    };
  }, [queryClient, study]);
  return useSocket(`/ws/studies/${study}`, {
    onOpened: () => {
      refetchDashboard();
      refetchInvitations();
    },
    // The responses to these show whether the user is signed out or no longer a coordinator.
    onRefused: () => {
      refetchDashboard();
      void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    },
    onMessage: ({ topic, version }) => {
      if (topic === "invitations") refetchInvitations();
      const cached = queryClient.getQueryData<Dashboard>(dashboardKey(study))?.version ?? 0;
      if (version > cached) refetchDashboard();
    },
  });
}
