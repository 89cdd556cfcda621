/** The explorer's words: how things were found, how sure a source is, how many of how many. */
import { count } from "@/lib/format";
import type { Order } from "./api";

export { alone, evidenceWords, hasEvidence, NO_EVIDENCE, number } from "@/lib/evidenceWords";

export function ofHowMany(shown: number, all: number): string {
  return shown === all ? `All ${count(all)} shown` : `${count(shown)} of ${count(all)} shown`;
}

export const ORDER_WORDS: Record<Order, { label: string; long: string }> = {
  probability: {
    label: "Probability",
    long: "How likely a random walk from the first entity takes exactly these steps. Paths through entities with few links come first.",
  },
  degree: {
    label: "Degree penalty",
    long: "A step between two entities that have many links of the same relation counts less, so that paths through what is linked to everything come last.",
  },
};
