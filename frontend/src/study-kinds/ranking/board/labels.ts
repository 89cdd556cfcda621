/** Labels of the ranking, on the cards and for screen readers. */
import type { Id } from "@/api/contract";
import { formatList, formatOrdinal } from "@/lib/format";
import { competitionRanks, isTied, type Candidate, type Ranking } from "./rankingModel";

export type NamedCandidate = Pick<Candidate, "id" | "name">;

function candidateName(candidates: NamedCandidate[], id: Id): string {
  return candidates.find((candidate) => candidate.id === id)?.name ?? id;
}

/** 'Zinc, rank 2 of 4', 'Calcium, rank 3 of 4, tied with NADH'. */
export function rankLabel(ranking: Ranking, candidates: NamedCandidate[], id: Id): string {
  const rank = competitionRanks(ranking).get(id) ?? 0;
  const others = (ranking.find((group) => group.includes(id)) ?? []).filter((other) => other !== id);
  const tied = others.length ? `, tied with ${formatList(others.map((other) => candidateName(candidates, other)))}` : "";
  return `${candidateName(candidates, id)}, rank ${rank} of ${candidates.length}${tied}`;
}

export interface PriorLabel {
  direction: "up" | "down" | "same";
  text: string;
}

/** Whose order is shown first: a model's, or (practice and demo) one made up to start from. */
export type PriorSource = "model" | "start";

/** 'model's 1st': a bare 'model 1' reads as the first of several models. */
const PRIOR_SOURCE_LABELS: Record<PriorSource, (place: string) => { here: string; from: string }> = {
  model: (place) => ({ here: `model’s ${place}`, from: `model’s ${place}` }),
  start: (place) => ({ here: "not moved", from: place }),
};

/** Where the prior had the candidate, against where it stands now; null without a prior. */
export function priorLabel(ranking: Ranking, prior: Ranking | undefined, id: Id, name: PriorSource): PriorLabel | null {
  if (!prior) return null;
  const now = competitionRanks(ranking).get(id) ?? 0;
  const before = competitionRanks(prior).get(id) ?? 0;
  const { here, from } = PRIOR_SOURCE_LABELS[name](formatOrdinal(before));
  if (now < before) return { direction: "up", text: `up from ${from}` };
  if (now > before) return { direction: "down", text: `down from ${from}` };
  return { direction: "same", text: here };
}

/** On a card of a pair without a prior: what its order would be submitted as. */
export const pairRankLabel = (ranking: Ranking, id: Id): PriorLabel => ({
  direction: "same",
  text: isTied(ranking, id) ? "equal" : `now ${formatOrdinal(competitionRanks(ranking).get(id) ?? 0)}`,
});

/** For screen readers: the rank of a card, and where the prior had it. */
export const cardLabel = (ranking: Ranking, candidates: NamedCandidate[], id: Id, prior: PriorLabel | null) =>
  [rankLabel(ranking, candidates, id), ...(prior ? [prior.text] : [])].join(", ");

/** 'Zinc first, then NADH and Calcium tied.' for a glance at a whole order. */
export function orderLines(ranking: Ranking, candidates: NamedCandidate[]): string[] {
  const ranks = competitionRanks(ranking);
  return ranking.map((group) => {
    const names = formatList(group.map((id) => candidateName(candidates, id)));
    const rank = ranks.get(group[0] ?? "") ?? 0;
    return `${rank}. ${names}${group.length > 1 ? " (tied)" : ""}`;
  });
}
