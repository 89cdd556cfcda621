import { formatDollars, formatLatency } from "@/domains/evaluation/labels";
import type { Submission } from "@/domains/evaluation/queries";

/** What the submitter states, as the form holds it; empty for what is not stated. */
export interface Declared {
  cost_usd: string;
  latency_s: string;
  hardware: string;
  sample: string;
  knowledge_until: string;
  method: string;
  notes: string;
}

export const NOTHING_DECLARED: Declared = { cost_usd: "", latency_s: "", hardware: "", sample: "", knowledge_until: "", method: "", notes: "" };

const isAmount = (text: string) => text.trim() === "" || Number(text) >= 0;

const isYear = (text: string) => /^(\d{4})?$/.test(text.trim());

export const areAmounts = ({ cost_usd: cost, latency_s: latency, knowledge_until: year }: Declared) =>
  isAmount(cost) && isAmount(latency) && isYear(year);

/** Terms and texts of what a submission declares. */
export function declaredTexts({ declared }: Submission): [string, string][] {
  const { cost_usd: cost, latency_s: latency, hardware, sample, knowledge_until: year, method, notes } = declared;
  const texts: [string, string | null][] = [
    ["Cost", typeof cost === "number" ? formatDollars(cost) : null],
    ["Latency", typeof latency === "number" ? formatLatency(latency) : null],
    ["Hardware", typeof hardware === "string" ? hardware : null],
    ["Sample", typeof sample === "string" ? sample : null],
    ["Knowledge until", typeof year === "number" ? String(year) : null],
    ["How it was made", typeof method === "string" ? method : null],
    ["Notes", typeof notes === "string" ? notes : null],
  ];
  return texts.flatMap(([term, text]) => (text === null ? [] : [[term, text] as [string, string]]));
}
