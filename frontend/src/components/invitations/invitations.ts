import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { Id, Invitation, InvitationRole, MadeInvitation, StudyInvitation } from "@/api/contract";
import { useCursorList } from "@/lib/cursor";

export interface NewInvitation {
  email: string;
  role: InvitationRole;
  batches?: Id[];
}

/** A study's invitation names its batches, the site's has none. */
export type ListedInvitation = Invitation & Partial<Pick<StudyInvitation, "batches">>;

export function invitationsKey(path: string) {
  return ["invitations", path];
}

/** A list of invitations by its address: a study's, or the site's. */
export function useInvitations(path: string) {
  return useCursorList<ListedInvitation>(invitationsKey(path), path);
}

export function useInvite(path: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (json: NewInvitation) => call<MadeInvitation>(path, { method: "POST", json }),
    onSuccess: () => queries.invalidateQueries({ queryKey: invitationsKey(path) }),
  });
}

/** The open invitation as it was, under a new link. */
export function useResend(path: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call<MadeInvitation>(`${path}/${id}/resend`, { method: "POST" }),
    onSuccess: () => queries.invalidateQueries({ queryKey: invitationsKey(path) }),
  });
}

export function useRevoke(path: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call<Invitation>(`${path}/${id}/revoke`, { method: "POST" }),
    onSettled: () => queries.invalidateQueries({ queryKey: invitationsKey(path) }),
  });
}
