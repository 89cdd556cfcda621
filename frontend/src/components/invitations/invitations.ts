import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { Id, Invitation, InvitationRole } from "@/api/contract";

export interface NewInvitation {
  email: string;
  role: InvitationRole;
  batches?: Id[];
}

/** A list of invitations by its address: a study's, or the site's. */
export function useInvitations(path: string) {
  return useQuery({
    queryKey: ["invitations", path],
    queryFn: async () => (await call<{ results: Invitation[] }>(path)).results,
  });
}

export function useInvite(path: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (json: NewInvitation) => call<Invitation>(path, { method: "POST", json }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["invitations", path] }),
  });
}

export function useRevoke(path: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call<Invitation>(`${path}/${id}/revoke`, { method: "POST" }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["invitations", path] }),
  });
}
