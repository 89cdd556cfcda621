import { formatLongDate } from "@/lib/format";
import type { ListedInvitation } from "./invitations";

/** 1, 2, 3, 7 as 'batches 1–3, 7'. */
export function batchesLabel(numbers: number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const number of sorted) {
    const run = runs.at(-1);
    if (run && number === run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  const parts = runs.map(([from, to]) => (from === to ? `${from}` : `${from}\u2013${to}`));
  return `${sorted.length === 1 ? "batch" : "batches"} ${parts.join(", ")}`;
}

/** The day that belongs to the state: accepted on it, open until it, expired with it. */
export function invitationDateLabel(row: ListedInvitation): string {
  if (row.state === "accepted" && row.accepted_at) return formatLongDate(row.accepted_at);
  if (row.state === "open") return `until ${formatLongDate(row.expires_at)}`;
  return row.state === "expired" ? formatLongDate(row.expires_at) : "";
}
