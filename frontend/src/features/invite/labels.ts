import type { InvitationPreview, InvitationRole } from "@/api/contract";

const ROLE_TASKS: Record<InvitationRole, string> = {
  expert: "to answer the questions of a study as an expert",
  coordinator: "to coordinate this study",
  researcher: "as a researcher",
  administrator: "as an administrator of this site",
};

export function invitationSubject({ invited_by, role, email }: InvitationPreview): string | undefined {
  if (!email || !role) return undefined; // it has ended, and whoever looks need not be whom it was for
  if (!invited_by) return `${email} is invited ${ROLE_TASKS[role]}.`;
  return `${invited_by} invites ${email} ${ROLE_TASKS[role]}.`;
}

/** Who can invite again: a command on the server has no name. */
export function inviterName({ invited_by }: InvitationPreview): string {
  return invited_by ?? "whoever runs this site";
}

export function isSameEmail(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}
