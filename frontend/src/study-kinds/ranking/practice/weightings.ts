/** Which candidate RNS puts first, over all weights of relevance, novelty and surprise. */
import type { Id } from "@/api/contract";
import type { PracticeCandidate } from "./practiceQuery";

type Weights = [relevance: number, novelty: number, surprise: number];

/** A cell of the triangle of weights: its centre, and its place as (row, column, whether it points down). */
export interface WeightCell {
  winner: Id;
  row: number;
  column: number;
  isDown: boolean;
}

const STEPS = 24;

function firstAt([relevance, novelty, surprise]: Weights, candidates: PracticeCandidate[]): Id {
  const total = ({ rns }: PracticeCandidate) => relevance * rns.relevance + novelty * rns.novelty + surprise * rns.surprise;
  return candidates.reduce((best, one) => (total(one) > total(best) ? one : best)).id;
}

/** Equal triangles that fill the triangle; novelty is 1 at the top, relevance left, surprise right. */
export function weightCells(candidates: PracticeCandidate[], steps = STEPS): WeightCell[] {
  const cells: WeightCell[] = [];
  for (let row = 0; row < steps; row += 1) {
    for (let at = 0; at <= 2 * row; at += 1) {
      const isDown = at % 2 === 1;
      const column = Math.floor(at / 2);
      const surprise = column + (isDown ? 2 : 1) / 3;
      const below = row + (isDown ? 1 : 2) / 3;
      const weights: Weights = [(below - surprise) / steps, 1 - below / steps, surprise / steps];
      cells.push({ winner: firstAt(weights, candidates), row, column, isDown });
    }
  }
  return cells;
}

/** The share of all weights at which RNS puts each candidate first; they add up to 1. */
export function weightShares(candidates: PracticeCandidate[]): Map<Id, number> {
  const cells = weightCells(candidates);
  const shares = new Map(candidates.map(({ id }) => [id, 0]));
  for (const { winner } of cells) shares.set(winner, (shares.get(winner) ?? 0) + 1 / cells.length);
  return shares;
}

/** With equal weights. */
export const firstByRns = (candidates: PracticeCandidate[]): Id => firstAt([1 / 3, 1 / 3, 1 / 3], candidates);
