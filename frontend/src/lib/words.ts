import type { InvitationRole, InvitationState, NoValueReason, State, StudyRole } from "@/api/contract";

/** What an expert did with a question, as it is said everywhere. */
export const STATE_WORDS: Record<State, string> = {
  untouched: "not answered",
  draft: "draft",
  confirmed: "agreed",
  changed: "order changed",
  not_sure: "not sure",
  skipped: "skipped",
};

export const ROLE_WORDS: Record<InvitationRole, string> = {
  expert: "expert",
  coordinator: "coordinator",
  researcher: "researcher",
  administrator: "administrator",
};

export const INVITATION_WORDS: Record<InvitationState, string> = {
  open: "waiting",
  accepted: "accepted",
  revoked: "revoked",
  expired: "expired",
};

const ORDER: StudyRole[] = ["coordinator", "expert"];

export function rolesInWords(roles: StudyRole[]): string {
  return ORDER.filter((role) => roles.includes(role)).join(" and ");
}

/** Where questions are averaged, one that nobody else ranked and one that is all tied both fall out. */
const TOO_FEW = {
  short: "too few to tell",
  long: "It needs questions that two experts put in order, not all of it tied.",
};

const REASONS: Record<NoValueReason, { short: string; long: string }> = {
  too_few_rankings: TOO_FEW,
  too_few_questions: TOO_FEW,
  too_few_items: {
    short: "too few candidates",
    long: "The questions ranked so far have fewer than two candidates to compare.",
  },
  all_tied: {
    short: "all tied",
    long: "Every ranking so far ties all candidates, so there is no order to compare.",
  },
};

/** Why a number is missing: a few words for the cell, a sentence for whoever asks. */
export function missing(reason: NoValueReason | null): { short: string; long: string } {
  return reason ? REASONS[reason] : { short: "not known yet", long: "This has not been computed yet." };
}
