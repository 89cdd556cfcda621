/** What the ranking says about itself, on the cards and aloud. */
import type { Candidate, Id, Ranking } from "@/api/contract";
import { ordinal } from "@/lib/format";
import { ranksOf } from "./model";

export type Named = Pick<Candidate, "id" | "name">;

function nameOf(candidates: Named[], id: Id): string {
  return candidates.find((candidate) => candidate.id === id)?.name ?? id;
}

export function listOf(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** 'Zinc, rank 2 of 4', 'Calcium, rank 3 of 4, tied with NADH'. */
export function placeWords(ranking: Ranking, candidates: Named[], id: Id): string {
  const rank = ranksOf(ranking).get(id) ?? 0;
  const others = (ranking.find((group) => group.includes(id)) ?? []).filter((other) => other !== id);
  const tied = others.length ? `, tied with ${listOf(others.map((other) => nameOf(candidates, other)))}` : "";
  return `${nameOf(candidates, id)}, rank ${rank} of ${candidates.length}${tied}`;
}

export interface PriorWords {
  direction: "up" | "down" | "same";
  text: string;
}

/** Whose order is shown first: a model's, or (practice and demo) one made up to start from. */
export type PriorName = "model" | "start";

/** 'model's 1st': a bare 'model 1' reads as the first of several models. */
const PRIOR_PLACE: Record<PriorName, (place: string) => { here: string; from: string }> = {
  model: (place) => ({ here: `model’s ${place}`, from: `model’s ${place}` }),
  start: (place) => ({ here: `${place} at the start`, from: place }),
};

/** Where the prior had the candidate, against where it stands now. */
export function priorWords(ranking: Ranking, prior: Ranking, id: Id, name: PriorName): PriorWords {
  const now = ranksOf(ranking).get(id) ?? 0;
  const before = ranksOf(prior).get(id) ?? 0;
  const { here, from } = PRIOR_PLACE[name](ordinal(before));
  if (now < before) return { direction: "up", text: `up from ${from}` };
  if (now > before) return { direction: "down", text: `down from ${from}` };
  return { direction: "same", text: here };
}

/** 'Zinc first, then NADH and Calcium tied.' for a glance at a whole order. */
export function orderWords(ranking: Ranking, candidates: Named[]): string[] {
  const ranks = ranksOf(ranking);
  return ranking.map((group) => {
    const names = listOf(group.map((id) => nameOf(candidates, id)));
    const rank = ranks.get(group[0] ?? "") ?? 0;
    return `${rank}. ${names}${group.length > 1 ? " (tied)" : ""}`;
  });
}
