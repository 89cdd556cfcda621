import { formatCount, formatPlural } from "@/lib/format";
import type { Outcome, Run, RunState } from "./queries";

export const RUN_STATES: Record<RunState, string> = {
  estimating: "Answering sample items",
  estimated: "Waits for a budget",
  running: "Running",
  paused: "Paused",
  ended: "Ended",
  cancelled: "Cancelled",
  failed: "Failed",
};

export const OUTCOMES: Record<Outcome, string> = {
  answered: "Answered",
  unreadable: "Unreadable answer",
  truncated: "Cut off",
  empty: "Empty answer",
  filtered: "Refused by a filter",
  unsupported: "Not supported",
  rejected: "Rejected by the server",
  rate_limited: "Rate limit",
  server_error: "Server error",
  timed_out: "Timed out",
  broken: "Broken off",
  lost: "Lost",
};

export const outcomeLabel = (outcome: string) => OUTCOMES[outcome as Outcome] ?? outcome;

const NEEDS: Record<string, string> = {
  link_chains: "paths of the graph between the two entities",
  papers: "papers about the two entities",
  candidates: "the first entities of a search",
  graph_schema: "the schema of the graph",
};

export const needLabel = (need: string) => NEEDS[need] ?? need;

/** US dollars: cents, and more digits below ten cents. */
export function formatMoney(text: string): string {
  const amount = Number(text);
  if (amount === 0) return "$0";
  if (amount < 0.000_001) return "under $0.000001";
  return `$${amount < 0.1 ? Number(amount.toPrecision(2)).toFixed(6).replace(/0+$/, "") : amount.toFixed(2)}`;
}

/** 'Answered 38, cut off 2.' */
export function outcomesText(outcomes: Run["outcomes"]): string {
  return Object.entries(outcomes)
    .toSorted(([, left], [, right]) => right - left)
    .map(([outcome, count]) => `${outcomeLabel(outcome)}: ${formatCount(count)}`)
    .join(", ");
}

/** '40 of 120 items; 2 failed, 3 from the cache'. */
export function progressText({ items, done, failed, retried, cached }: Run["progress"]): string {
  const parts = [
    failed > 0 && `${formatCount(failed)} failed`,
    retried > 0 && `${formatCount(retried)} at a second try`,
    cached > 0 && `${formatCount(cached)} from the cache`,
  ].filter((part) => part !== false);
  return `${formatCount(done)} of ${formatPlural(items, "item")}${parts.length > 0 ? `; ${parts.join(", ")}` : ""}`;
}
