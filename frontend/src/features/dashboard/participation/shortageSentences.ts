import type { Participation } from "@/api/contract";
import { formatPlural } from "@/lib/format";

type Shortage = NonNullable<Participation["shortage"]>;

const REASONS: Record<Shortage["reasons"][number]["reason"], (pronoun: string) => string> = {
  experts: () => "the study has too few experts",
  expertise: () => "too few experts have the needed expertise",
  conflicts: () => "too many experts have a conflict of interest",
  skips: (pronoun) => `too many experts have skipped or returned ${pronoun}`,
};

/** How many questions cannot get their answers, and a line for each reason. */
export function shortageSentences({ overlap, questions, missing, reasons }: Shortage): [string, ...string[]] {
  return [
    `${formatPlural(questions, "question")} cannot get ${formatPlural(overlap, "answer")}${questions === 1 ? "" : " each"}: ${formatPlural(missing, "answer")} will be missing. Invite more experts.`,
    ...reasons.map(({ reason, questions: count }) => `${formatPlural(count, "question")}: ${REASONS[reason](count === 1 ? "it" : "them")}.`),
  ];
}
