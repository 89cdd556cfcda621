import type { InvitationPreview, InvitationRole } from "@/api/contract";

const TASKS: Record<InvitationRole, string> = {
  expert: "to rank answers to biomedical questions by how serendipitous they are",
  coordinator: "to coordinate this study",
  researcher: "as a researcher",
  administrator: "as an administrator of this site",
};

/** Who invites whom to what. */
export function subjectOf({ invited_by, role, email }: InvitationPreview): string | undefined {
  if (!email || !role) return undefined; // it has ended, and whoever looks need not be whom it was for
  if (!invited_by) return `${email} is invited ${TASKS[role]}.`;
  return `${invited_by} invites ${email} ${TASKS[role]}.`;
}

/** Whom to ask: a command on the server has no name. */
export function inviterOf({ invited_by }: InvitationPreview): string {
  return invited_by ?? "whoever runs this site";
}

export function sameAddress(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}
