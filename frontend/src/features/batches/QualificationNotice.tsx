import type { ExpertBatch } from "@/api/contract";
import { Notice } from "@/components/Notice";
import { formatPlural } from "@/lib/format";

type Qualification = NonNullable<ExpertBatch["study"]["qualification"]>;

const TONES = { open: "plain", passed: "good", waived: "good", failed: "warn" } as const;

/** What the qualification of a study needs, and how the expert did. */
export function QualificationNotice({ qualification }: { qualification: Qualification | null }) {
  if (!qualification) return null;
  return <Notice tone={TONES[qualification.state]}><p>{qualificationText(qualification)}</p></Notice>;
}

export function qualificationText({ state, right, answered, items, minimum }: Qualification): string {
  switch (state) {
    case "open":
      return `First come ${formatPlural(items - answered, "question")} with a known answer; ${minimum} of ${items} must be right.`;
    case "passed":
      return `You had ${right} of ${items} right, so the questions of the study are open to you.`;
    case "waived":
      return "The coordinators have opened the questions of the study to you.";
    case "failed":
      return `Thank you. You had ${right} of ${items} right; this study needs ${minimum}. Its coordinators can still let you go on.`;
  }
}
