import type { Submission } from "@/domains/evaluation/queries";
import type { Scores } from "@/domains/evaluation/ScoreTable";

const STATE_LABELS: Record<Submission["state"], string> = {
  queued: "Waiting for its score",
  sealed: "Sealed, unscored",
  scored: "Scored",
  failed: "Failed",
  withdrawn: "Withdrawn",
};

export function stateLabel({ state, score_visibility: visibility, is_standing: stands, is_final: isFinal, declared, error }: Submission): string {
  if (state === "scored" && error) return "Not scored again, not on the board";
  if (state === "scored" && declared.sample) return stands ? "On the board, without a rank" : "A sample, not on the board";
  if (state === "scored" && isFinal) return stands ? "On the board, final" : "Chosen as final";
  if (state === "scored" && visibility === "not_better") return "Not better";
  return state === "scored" && stands ? "On the board" : STATE_LABELS[state];
}

/** Scores as a board has them, by metric and slice; a coverage only where it is not whole. */
export function scoresByKey(scores: Submission["scores"]): Scores {
  const coverages: Record<string, number> = {};
  const entry: Scores = { scores: {}, interval_reasons: {}, coverages };
  for (const { metric, slice, value, low, high, n, coverage, interval_reason: reason } of scores) {
    const key = `${metric} ${slice}`;
    entry.scores[key] = [value, low, high, n];
    if (reason) entry.interval_reasons[key] = reason;
    if (coverage < 1) coverages[key] = coverage;
  }
  return entry;
}
