import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Id, Invitation, InvitationRole, CreatedInvitation, StudyInvitation } from "@/api/contract";
import { useCursorList } from "@/lib/cursor";
import { useMutation } from "@/lib/useMutation";

export interface NewInvitation {
  email: string;
  role: InvitationRole;
}

/** To a study: all of the addresses are invited, or nobody. */
export interface NewInvitations {
  emails: string[];
  role: InvitationRole;
  batches: Id[];
  message: string;
  tags: string[];
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

/** A request about an invitation, after which the list is read again, also where it failed. */
function useInvitationMutation<Input, Result>(path: string, send: (input: Input) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: send, onSettled: () => queries.invalidateQueries({ queryKey: invitationsKey(path) }) });
}

export const useInvite = (path: string) =>
  useInvitationMutation(path, (json: NewInvitation) => request<CreatedInvitation>(path, { method: "POST", json }));

export const useInviteSeveral = (path: string) =>
  useInvitationMutation(path, async (json: NewInvitations) =>
    (await request<{ results: CreatedInvitation[] }>(`${path}/several`, { method: "POST", json })).results);

/** The open invitation as it was, under a new link. */
export const useResend = (path: string) =>
  useInvitationMutation(path, (id: Id) => request<CreatedInvitation>(`${path}/${id}/resend`, { method: "POST" }));

export const useRevoke = (path: string) =>
  useInvitationMutation(path, (id: Id) => request<Invitation>(`${path}/${id}/revoke`, { method: "POST" }));
