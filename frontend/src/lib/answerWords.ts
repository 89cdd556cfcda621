/** The words for what an expert says beside her order. */
import type { Reason, UnsureReason } from "@/api/contract";

export const REASON_WORDS: Record<Reason, string> = {
  new_to_me: "New to me",
  unexpected_mechanism: "Unexpected mechanism",
  clinically_useful: "Clinically useful",
  well_known: "Well known",
  not_relevant: "Not relevant",
  implausible: "Implausible",
};

export const UNSURE_WORDS: Record<UnsureReason, string> = {
  outside_my_field: "It is outside my field",
  question_unclear: "The question is unclear",
  candidates_unknown: "I do not know these candidates",
  too_close: "They are too close to call",
  other: "Another reason",
};
