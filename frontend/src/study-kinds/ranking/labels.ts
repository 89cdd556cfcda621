/** Experts consent to this wording: a change of it needs a new version of the consent. */
export const RECORDED_DATA = [
  "Each order you submit, how sure you said you are, your reasons and your comment.",
  "Each step on the way: what was moved, tied, undone, and when.",
];

export const DEFINITION_NOTE = "Two that you cannot tell apart may share a rank.";

/** The labels of what an expert can choose beside the order. */
export const REASON_LABELS: Record<string, string> = {
  new_to_me: "New to me",
  unexpected_mechanism: "Unexpected mechanism",
  clinically_useful: "Clinically useful",
  well_known: "Well known",
  not_relevant: "Not relevant",
  implausible: "Implausible",
};

export const UNSURE_REASON_LABELS: Record<string, string> = {
  outside_my_field: "It is outside my field",
  question_unclear: "The question is unclear",
  candidates_unknown: "I do not know these candidates",
  too_close: "They are too close to call",
  other: "Another reason",
};
