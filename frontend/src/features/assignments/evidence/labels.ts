import type { Paths } from "@/domains/graphs/graphQueries";
import { formatCount, formatPlural } from "@/lib/format";
import type { CandidateEvidence } from "./api";

type Matched = Pick<CandidateEvidence, "match_method" | "unmatched_reason" | "matched_on">;

const MATCH_METHOD_LABELS: Record<NonNullable<Matched["match_method"]>, string> = {
  identifier: "Matched by identifier",
  cross_reference: "Matched by cross-reference",
  name: "Matched by name alone",
};

const UNMATCHED_REASON_LABELS: Record<NonNullable<Matched["unmatched_reason"]>, string> = {
  not_in_graph: "This graph has no such entity.",
  several_references: "Several entities of this graph carry its identifier, so none is shown.",
  several_names: "Several entities of this graph have this name, so none is shown.",
  other_identifier: "This graph has an entity of this name with another identifier, so it is not shown.",
};

export function matchMethodLabel({ match_method: method, matched_on: matchedOn }: Matched): string {
  if (!method) return "";
  return method === "name" ? MATCH_METHOD_LABELS.name : `${MATCH_METHOD_LABELS[method]} ${matchedOn}`;
}

export function unmatchedReasonLabel({ unmatched_reason: reason }: Matched): string {
  return reason ? UNMATCHED_REASON_LABELS[reason] : "Not matched yet.";
}

export function pathCountLabel({ shown, total, capped, hidden_through_hubs: hidden }: Paths): string {
  const least = capped ? "at least " : "";
  const main = shown === total && !capped ? formatPlural(total, "path") : `${formatCount(shown)} of ${least}${formatPlural(total, "path")} shown`;
  return hidden > 0 ? `${main}, ${least}${formatCount(hidden)} through hubs hidden` : main;
}
