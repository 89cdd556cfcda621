/**
 * A ranking is a weak order over a question's candidates: ordered groups of ids, where a group of
 * two or more is a tie. Read down the page it is a list of cards with, between each two
 * neighbours, either a border or a tie. Every input path (drag, buttons, keys) ends in one of the
 * functions below, so that each gives the same result.
 *
 * - Up and down: a tied card first leaves its tie, and stands alone above (below) what is left of
 *   it. A card that stands alone passes the whole group beside it: no place is inside a tie.
 * - A place (key, menu or drop) is a place in the list without the card. A place inside a tie is
 *   beyond it, in the direction the card travels.
 * - Tie and untie work on the border above a card: tying joins both groups that meet there,
 *   untying cuts the group there. Each takes back the other.
 *
 * The order inside a group is only what the page shows; two rankings that differ in it are equal.
 */
import type { Id } from "@/api/contract";

/** Ordered groups of candidate ids: a group of two or more is a tie. */
export type Ranking = Id[][];
/** Without a prior rank where the question comes without a prior order. */
export type Candidate = { id: Id; name: string; link: string; prior_rank?: number };

/** The order to start from: the prior, or, where there is none, that of the candidates, without ties. */
export function startOrder({ candidates, prior }: { candidates: { id: Id }[]; prior?: Ranking | undefined }): Ranking {
  return prior ?? candidates.map(({ id }) => [id]);
}

export function flattenRanking(ranking: Ranking): Id[] {
  return ranking.flat();
}

function withoutCandidate(ranking: Ranking, id: Id): Ranking {
  return ranking.map((group) => group.filter((other) => other !== id)).filter((group) => group.length > 0);
}

function groupIndex(ranking: Ranking, id: Id): number {
  const index = ranking.findIndex((group) => group.includes(id));
  if (index < 0) throw new RangeError(`${id} is not in this ranking.`);
  return index;
}

function insertAt(ranking: Ranking, index: number, id: Id): Ranking {
  return [...ranking.slice(0, index), [id], ...ranking.slice(index)];
}

export function isTied(ranking: Ranking, id: Id): boolean {
  return (ranking[groupIndex(ranking, id)]?.length ?? 0) > 1;
}

/** True where the card stands in the same group as the card shown above it. */
export function isTiedWithAbove(ranking: Ranking, id: Id): boolean {
  return (ranking[groupIndex(ranking, id)]?.indexOf(id) ?? 0) > 0;
}

export function moveUp(ranking: Ranking, id: Id): Ranking {
  const index = groupIndex(ranking, id);
  if (isTied(ranking, id)) return insertAt(withoutCandidate(ranking, id), index, id);
  return index === 0 ? ranking : insertAt(withoutCandidate(ranking, id), index - 1, id);
}

export function moveDown(ranking: Ranking, id: Id): Ranking {
  const index = groupIndex(ranking, id);
  if (!isTied(ranking, id) && index === ranking.length - 1) return ranking;
  return insertAt(withoutCandidate(ranking, id), index + 1, id);
}

/** Put a card at `index` (from 0) of the list that is left when it is taken out; it stands alone. */
export function moveToIndex(ranking: Ranking, id: Id, index: number): Ranking {
  const from = flattenRanking(ranking).indexOf(id);
  if (from === index && !isTied(ranking, id)) return ranking;
  const rest = withoutCandidate(ranking, id);
  let before = 0;
  for (const [place, group] of rest.entries()) {
    if (index <= before) return insertAt(rest, place, id);
    if (index < before + group.length) return insertAt(rest, index > from ? place + 1 : place, id);
    before += group.length;
  }
  return [...rest, [id]];
}

/** The same as dropping, counted as ranks are: from 1. */
export function moveToRank(ranking: Ranking, id: Id, rank: number): Ranking {
  const last = flattenRanking(ranking).length;
  return moveToIndex(ranking, id, Math.min(Math.max(rank, 1), last) - 1);
}

export function tieWithAbove(ranking: Ranking, id: Id): Ranking {
  const index = groupIndex(ranking, id);
  if (index === 0 || isTiedWithAbove(ranking, id)) return ranking;
  const joined = [...(ranking[index - 1] ?? []), ...(ranking[index] ?? [])];
  return [...ranking.slice(0, index - 1), joined, ...ranking.slice(index + 1)];
}

export function untie(ranking: Ranking, id: Id): Ranking {
  const index = groupIndex(ranking, id);
  const group = ranking[index] ?? [];
  const cut = group.indexOf(id);
  if (cut <= 0) return ranking;
  return [...ranking.slice(0, index), group.slice(0, cut), group.slice(cut), ...ranking.slice(index + 1)];
}

/** Equal as weak orders: the same groups in the same order, whatever the order inside a group. */
export function isSameOrder(one: Ranking, other: Ranking): boolean {
  const words = (ranking: Ranking) => JSON.stringify(ranking.map((group) => group.toSorted()));
  return words(one) === words(other);
}

/** Competition ranks: 1, 2, 3, 3, 5. */
export function competitionRanks(ranking: Ranking): Map<Id, number> {
  const ranks = new Map<Id, number>();
  let rank = 1;
  for (const group of ranking) {
    for (const id of group) ranks.set(id, rank);
    rank += group.length;
  }
  return ranks;
}
