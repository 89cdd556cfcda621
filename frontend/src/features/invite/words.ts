import type { InvitationRole, Offer } from "@/api/contract";

const TASKS: Record<InvitationRole, string> = {
  expert: "to rank answers to biomedical questions by how serendipitous they are",
  coordinator: "to coordinate this study",
  researcher: "as a researcher",
  administrator: "as an administrator of this site",
};

/** Who invites whom to what. */
export function subjectOf(inviter: string | null, { role, email }: Offer): string {
  if (!inviter) return `${email} is invited ${TASKS[role]}.`;
  return `${inviter} invites ${email} ${TASKS[role]}.`;
}

/** Whom to ask about an invitation. */
export function askedFor(inviter: string | null): string {
  return inviter ?? "whoever sent you the link";
}

export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
