import type { ExpertFlag, ExpertProgress, StudyQuestion } from "@/api/contract";
import { formatPercent, formatPlural } from "@/lib/format";

/** A flag in a few words, with the figures behind it. */
export function flagText({ name, value, n, note }: ExpertFlag): string {
  if (name === "silent") return `Silent for ${formatPlural(value, "day")}, ${formatPlural(n, "question")} left`;
  const { label, format } = FLAG_NOTES[name];
  return `${label}: ${format(value)} over ${formatPlural(n, "answer")}. ${note}`.trim();
}

const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

/** What the flags that are shown mean, once each. */
export const FLAG_NOTES: Record<ExpertFlag["name"], { label: string; note: string; format: (value: number) => string }> = {
  drift: { label: "Changed", note: "the agreement with the others changed at some answer, more than chance would.", format: signed },
  fast: { label: "Worse when fast", note: "the fastest quarter of answers agrees less with the others than the rest.", format: signed },
  short_times: { label: "Takes little time", note: "takes less than a third of the others’ time for the same questions.", format: (value) => `${value.toFixed(2)} of theirs` },
  straight_lining: { label: "Nearly always the same", note: "one choice comes more often than the others’ answers to the same questions explain.", format: formatPercent },
  ability: { label: "Agrees with nobody", note: "the agreement with the others is no better than chance, and worse than theirs.", format: formatPercent },
  gold_failed: { label: "Known answers wrong", note: "more known answers were missed than by the others.", format: formatPercent },
  low_retest: { label: "Changes answers", note: "repeated questions get another answer more often than from the others.", format: formatPercent },
  silent: { label: "Silent", note: "no answer for three days or more, with questions left.", format: String },
};

/** A flag of a question, for its author. */
export function questionFlagText({ name, value, n, note }: StudyQuestion["flags"][number]): string {
  if (name === "disputed_key") return `The known answer is likely wrong: ${formatPercent(value)} of ${formatPlural(n, "expert")} gave it. ${note}`.trim();
  return `Able experts disagree with the others here: correlation ${signed(value)} over ${formatPlural(n, "expert")}.`;
}

type Qualification = NonNullable<ExpertProgress["qualification"]>;

export function qualificationLabel({ state, right, answered, items, minimum }: Qualification): string {
  const result = `${right} of ${items} right, ${minimum} needed`;
  switch (state) {
    case "open":
      return `Qualification: ${answered} of ${items} answered`;
    case "passed":
      return `Qualified: ${result}`;
    case "failed":
      return `Not qualified: ${result}`;
    case "waived":
      return `Goes on without the qualification: ${result}`;
  }
}
