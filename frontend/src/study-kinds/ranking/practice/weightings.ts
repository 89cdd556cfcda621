/** Which candidate RNS puts first, over all weights of relevance, novelty and surprise. */
import type { Id } from "@/api/contract";
import { EQUAL_WEIGHTS, SCORE_PARTS } from "@/lib/weights/simplex";
import { winningRegions, winningSplit, type Region, type Splits } from "@/lib/weights/winningSplits";
import type { PracticeCandidate } from "./practiceQuery";

function partsOf(candidates: PracticeCandidate[]): Splits {
  const parts = SCORE_PARTS.map((part) => [part, candidates.map(({ rns }) => rns[part])]);
  return { ...(Object.fromEntries(parts) as Pick<Splits, (typeof SCORE_PARTS)[number]>), gain: 0 };
}

/** Of each candidate that is first somewhere, where: the largest part first. */
export function weightRegions(candidates: PracticeCandidate[]): (Omit<Region, "split"> & { candidate: PracticeCandidate })[] {
  return winningRegions(partsOf(candidates)).flatMap(({ split, ...region }) => {
    const candidate = candidates[split];
    return candidate ? [{ ...region, candidate }] : [];
  });
}

/** The share of all weights at which RNS puts each candidate first; they add up to 1. */
export function weightShares(candidates: PracticeCandidate[]): Map<Id, number> {
  const shares = new Map(candidates.map(({ id }) => [id, 0]));
  for (const { candidate, share } of weightRegions(candidates)) shares.set(candidate.id, share);
  return shares;
}

/** With equal weights; empty without candidates. */
export const firstByRns = (candidates: PracticeCandidate[]): Id => candidates[winningSplit(partsOf(candidates), EQUAL_WEIGHTS)]?.id ?? "";
