import { useCallback, useRef, useState } from "react";
import type { Json } from "@/api/contract";
import { redo, startHistory, pushHistory, undo, type History } from "./history";
import { isSameOrder, type Ranking } from "./rankingModel";

/** What happened to a ranking, as it is recorded. */
export interface RankingChange {
  kind: "moved" | "tied" | "untied" | "undone" | "redone";
  old: Json;
  new: Json;
  ranking: Ranking;
}

export type RankingControl = ReturnType<typeof useRanking>;

export function useRanking(start: Ranking, onChange?: (change: RankingChange) => void) {
  const [history, setHistory] = useState<History>(() => startHistory(start));
  // Two quick keys may come before the page was drawn: each starts from what the other made.
  const latest = useRef(history);
  const applyChange = useCallback(
    (kind: RankingChange["kind"], next: History, about: { [key: string]: Json }) => {
      const old = latest.current.present;
      if (isSameOrder(old, next.present)) return false;
      latest.current = next;
      setHistory(next);
      const ranking = next.present;
      onChange?.({ kind, old: { ranking: old }, new: { ...about, ranking }, ranking });
      return true;
    },
    [onChange],
  );
  const [affirmed, setAffirmed] = useState(false);
  return {
    ranking: history.present,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    /** Whether a candidate was placed, even at its own rank; false once all is undone. */
    hasChanged: affirmed || history.past.length > 0,
    /** Every input path changes the order through this function; false if nothing changed. */
    change: (kind: "moved" | "tied" | "untied", next: Ranking, about: { [key: string]: Json }) => {
      const moves = applyChange(kind, pushHistory(latest.current, next), about);
      if (!moves) setAffirmed(true);
      return moves;
    },
    /** The order after it; null if there was nothing to take back. */
    undo: () => (applyChange("undone", undo(latest.current), {}) ? latest.current.present : null),
    redo: () => (applyChange("redone", redo(latest.current), {}) ? latest.current.present : null),
  };
}
