import type { InvitationPreview, InvitationRole } from "@/api/contract";

const TASKS: Record<InvitationRole, string> = {
  expert: "to rank answers to biomedical questions by how serendipitous they are",
  coordinator: "to coordinate this study",
  researcher: "as a researcher",
  administrator: "as an administrator of this site",
};

/** Who invites whom to what. */
export function subjectOf({ invited_by, role, email }: InvitationPreview): string {
  return `${invited_by} invites ${email} ${TASKS[role]}.`;
}

export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
