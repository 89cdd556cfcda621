import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { clearInvitationToken } from "@/domains/accounts/invitations/invitationToken";
import { landingPageFor } from "@/domains/accounts/permissions";
import { currentUserQuery } from "@/lib/currentUser";
import { useMutation } from "@/lib/useMutation";

type Schemas = components["schemas"];
type Acceptance = Omit<Schemas["InvitationAcceptanceRequest"], "password"> & { password?: string };
type AcceptResult = Schemas["AcceptedInvitation"];

/** Accepts, then goes to where the invitation leads. */
export function useAcceptInvitation() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (json: Acceptance) => request<AcceptResult>("/api/v1/invitations/accept", { method: "POST", json }),
    onSuccess: async (accepted) => {
      const me = await queries.fetchQuery({ ...currentUserQuery, staleTime: 0 });
      void queries.invalidateQueries();
      clearInvitationToken();
      await navigate(destination(accepted) ?? (me ? landingPageFor(me).path : "/"), { replace: true });
    },
  });
}

function destination({ study_id, role }: AcceptResult): string | null {
  if (study_id && role === "expert") return `/studies/${study_id}/introduction`;
  if (study_id && role === "coordinator") return `/studies/${study_id}`;
  return null;
}
