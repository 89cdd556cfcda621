import type { InvitationRole, InvitationState, StudyRole } from "@/api/contract";

export const ROLE_LABELS: Record<InvitationRole, string> = {
  expert: "expert",
  coordinator: "coordinator",
  researcher: "researcher",
  administrator: "administrator",
};

export const INVITATION_STATE_LABELS: Record<InvitationState, string> = {
  open: "waiting",
  accepted: "accepted",
  revoked: "revoked",
  expired: "expired",
};

const ROLE_ORDER: StudyRole[] = ["coordinator", "expert"];

export function rolesLabel(roles: StudyRole[]): string {
  return ROLE_ORDER.filter((role) => roles.includes(role)).join(" and ");
}
