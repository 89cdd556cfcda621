/** The fields of a new study of a question set, as they are typed and as they are sent. */

export type StudyState = "open" | "draft";

export type GoldFeedback = "never" | "each" | "batch_end";

/** How questions are assigned, and how known answers check the experts. */
export interface CheckFields {
  rule: "batches" | "pool";
  overlap: string;
  goldPercent: string;
  goldFeedback: GoldFeedback;
  qualificationItems: string;
  qualificationMinimum: string;
}

export interface DesignFields extends CheckFields {
  name: string;
  questionSet: string;
  /** Empty for the default. */
  kind: string;
  adaptivePercent: string;
  hiddenPercent: string;
  evidencePercent: string;
  reversedPercent: string;
  repeatPercent: string;
  graph: string;
  state: StudyState;
}

export const STATE_OPTIONS = [
  { value: "open", label: "Open at once" },
  { value: "draft", label: "Draft, which experts do not see" },
] as const;

export const FEEDBACK_OPTIONS = [
  { value: "never", label: "Never" },
  { value: "each", label: "After each such question" },
  { value: "batch_end", label: "At the end of a batch" },
] as const;

export const EMPTY_CHECKS: CheckFields = {
  rule: "batches", overlap: "3", goldPercent: "5", goldFeedback: "never", qualificationItems: "0", qualificationMinimum: "0",
};

export const EMPTY_DESIGN: DesignFields = {
  ...EMPTY_CHECKS,
  name: "", questionSet: "", kind: "", adaptivePercent: "0", hiddenPercent: "0", evidencePercent: "0", reversedPercent: "0", repeatPercent: "0", graph: "", state: "open",
};

/** As the server has it. */
const MAX_OVERLAP = 1000;
const MAX_REPEAT_PERCENT = 10;
const MAX_ADAPTIVE_PERCENT = 80;
const MAX_GOLD_PERCENT = 50;
const MAX_QUALIFICATION_ITEMS = 1000;

type DesignFaults = Partial<Record<keyof DesignFields, string>>;

type CheckFaults = Partial<Record<keyof CheckFields, string>>;

/** The highest of each; of a pool alone, the first. */
const PERCENTS = { adaptivePercent: MAX_ADAPTIVE_PERCENT, hiddenPercent: 100, evidencePercent: 100, reversedPercent: 100, repeatPercent: MAX_REPEAT_PERCENT };

export function checkFields({ rule, overlap, goldPercent, qualificationItems, qualificationMinimum }: CheckFields): CheckFaults {
  const isPool = rule === "pool";
  return {
    ...(isPool && !isWithin(overlap, 1, MAX_OVERLAP) && { overlap: `Enter a whole number from 1 to ${MAX_OVERLAP}.` }),
    ...(!isWithin(goldPercent, 0, MAX_GOLD_PERCENT) && { goldPercent: `Enter a whole number from 0 to ${MAX_GOLD_PERCENT}.` }),
    ...(isPool && !isWithin(qualificationItems, 0, MAX_QUALIFICATION_ITEMS) && { qualificationItems: `Enter a whole number from 0 to ${MAX_QUALIFICATION_ITEMS}.` }),
    ...(isPool && !isWithin(qualificationMinimum, 0, Number(qualificationItems)) && { qualificationMinimum: "Enter a whole number, at most that of the questions." }),
  };
}

/** Of an import: what differs from the defaults, which a study that is there already keeps. */
export function changedChecks(checks: CheckFields): Record<string, string> {
  const { rule, overlap, goldPercent, goldFeedback, qualificationItems, qualificationMinimum } = checks;
  return {
    ...(rule === "pool" && { overlap }),
    ...(goldPercent !== EMPTY_CHECKS.goldPercent && { gold_share: String(Number(goldPercent) / 100) }),
    ...(goldFeedback !== EMPTY_CHECKS.goldFeedback && { gold_feedback: goldFeedback }),
    ...(rule === "pool" && Number(qualificationItems) > 0 && { qualification_items: qualificationItems, qualification_minimum: qualificationMinimum }),
  };
}

export function checkDesign(fields: DesignFields): DesignFaults {
  const { name, questionSet, rule } = fields;
  const faulty = Object.entries(PERCENTS).flatMap(([field, highest]) => {
    const typed = fields[field as keyof typeof PERCENTS];
    const isUnused = field === "adaptivePercent" && rule !== "pool";
    return isUnused || isWithin(typed, 0, highest) ? [] : [[field, `Enter a whole number from 0 to ${highest}.`]];
  });
  return {
    ...checkFields(fields),
    ...(name.trim() === "" && { name: "Enter a name." }),
    ...(questionSet === "" && { questionSet: "Choose a question set." }),
    ...Object.fromEntries(faulty),
  };
}

const isWithin = (typed: string, low: number, high: number) => /^\d+$/.test(typed) && Number(typed) >= low && Number(typed) <= high;

export function toRequest({ name, questionSet, kind, rule, overlap, adaptivePercent, goldPercent, goldFeedback, graph, state, ...percents }: DesignFields) {
  const hidden = Number(percents.hiddenPercent) / 100;
  const withoutEvidence = Number(percents.evidencePercent) / 100;
  const reversed = Number(percents.reversedPercent) / 100;
  return {
    name,
    question_set: questionSet,
    kind,
    graph,
    is_draft: state === "draft",
    overlap: rule === "pool" ? Number(overlap) : null,
    adaptive_share: rule === "pool" ? Number(adaptivePercent) / 100 : 0,
    repeat_share: Number(percents.repeatPercent) / 100,
    gold_share: Number(goldPercent) / 100,
    gold_feedback: goldFeedback,
    arm_shares: {
      ...(hidden > 0 && { prior: { hidden } }),
      ...(reversed > 0 && { order: { reversed } }),
      ...(withoutEvidence > 0 && { evidence: { hidden: withoutEvidence } }),
    },
  };
}
