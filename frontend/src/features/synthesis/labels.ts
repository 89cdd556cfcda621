import { formatCount, formatPercent, formatPlural } from "@/lib/format";
import type { Synthesis, SynthesizedQuery } from "./queries";

export const STATE_LABELS = { queued: "Under way", ended: "Ended", failed: "Failed" } as const;

export const STEP_LABELS: Record<SynthesizedQuery["step"], string> = {
  properties: "Waits for properties",
  query: "Waits to be written",
  rewriting: "Waits to be rewritten",
  verification: "Waits for verifiers",
};

const OUTCOMES: Record<string, string> = {
  accepted: "Accepted",
  names_answer: "Names its answer",
  lacks_entity: "Lacks a linked entity",
  lacks_requirement: "Lacks a requirement",
  no_property: "No property without the name",
  repeated: "Same words as an earlier one",
};

/** Roles are those of the graph, so there may be any. */
export const roleLabel = (role: string) => `${role.charAt(0).toUpperCase()}${role.slice(1)}`;

/** Of requests that were not answered, the outcome is that of the call. */
export const outcomeLabel = (outcome: string) => OUTCOMES[outcome] ?? `No usable answer (${outcome.replaceAll("_", " ")})`;

/** How often a gold answer passes its own filter, beside what the paper prints. */
export function goldText({ gold_checked, gold_passed, gold_share }: Synthesis["summary"]): string {
  if (gold_share === null) return "No accepted query has been checked.";
  return `${formatCount(gold_passed)} of ${formatPlural(gold_checked, "gold answer")} passed all filters (${formatPercent(gold_share)}). STaRK: 86.6% Amazon, 98.9% MAG, 92.3% Prime.`;
}
