import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { call } from "@/api/client";
import type { Id, InvitationRole } from "@/api/contract";
import { landingFor } from "@/lib/access";
import { forgetInvitation } from "@/lib/invitationToken";
import { meQuery } from "@/lib/me";

export interface Acceptance {
  token: string;
  name: string;
  password?: string;
}

interface Accepted {
  study_id: Id | null;
  role: InvitationRole;
}

/** Accepts, then goes to where the invitation leads. */
export function useAccept() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (json: Acceptance) =>
      call<Accepted>("/api/v1/invitations/accept", { method: "POST", json }),
    onSuccess: async (accepted) => {
      const me = await queries.fetchQuery({ ...meQuery, staleTime: 0 });
      void queries.invalidateQueries();
      forgetInvitation();
      await navigate(destination(accepted) ?? (me ? landingFor(me).to : "/"), { replace: true });
    },
  });
}

function destination({ study_id, role }: Accepted): string | null {
  if (study_id && role === "expert") return `/studies/${study_id}/introduction`;
  if (study_id && role === "coordinator") return `/studies/${study_id}`;
  return null;
}
