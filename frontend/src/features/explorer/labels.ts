/** The explorer's words: how things were found, how sure a source is, how many of how many. */
import { formatCount } from "@/lib/format";
import type { PathOrder } from "./api";

export { standalonePhrase, evidenceLabel, hasEvidence, NO_EVIDENCE, formatNumber } from "@/domains/graphs/evidenceLabels";

export function shownOfTotalLabel(shown: number, all: number): string {
  return shown === all ? `All ${formatCount(all)} shown` : `${formatCount(shown)} of ${formatCount(all)} shown`;
}

export const ORDER_LABELS: Record<PathOrder, { label: string; long: string }> = {
  probability: {
    label: "Probability",
    long: "How likely a random walk from the first entity takes exactly these steps. Paths through entities with few links come first; bars are logarithmic.",
  },
  degree: {
    label: "Degree penalty",
    long: "Steps between entities with many links of the same relation count less, so paths through hubs come last; bars are logarithmic.",
  },
};
