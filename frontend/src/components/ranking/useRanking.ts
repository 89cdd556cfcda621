import { useCallback, useRef, useState } from "react";
import type { Json, Ranking, ResponseEvent } from "@/api/contract";
import { redo, startHistory, step, undo, type History } from "./history";
import { sameOrder } from "./model";

/** What happened to a ranking, as an event tells it. */
export interface Change {
  kind: Extract<ResponseEvent["kind"], "moved" | "tied" | "untied" | "undone" | "redone">;
  old: Json;
  new: Json;
  ranking: Ranking;
}

export interface RankingControl {
  ranking: Ranking;
  canUndo: boolean;
  canRedo: boolean;
  /** Whether she placed a candidate, be it where it stands already; not so once all is undone. */
  hasPlaced: boolean;
  /** The one door through which every input path changes the order; false if nothing changed. */
  change: (kind: "moved" | "tied" | "untied", next: Ranking, about: { [key: string]: Json }) => boolean;
  /** The order after it; null if there was nothing to take back. */
  undo: () => Ranking | null;
  redo: () => Ranking | null;
}

export function useRanking(start: Ranking, onChange?: (change: Change) => void): RankingControl {
  const [history, setHistory] = useState<History>(() => startHistory(start));
  // Two quick keys may come before the page was drawn: each starts from what the other made.
  const latest = useRef(history);
  const go = useCallback(
    (kind: Change["kind"], next: History, about: { [key: string]: Json }) => {
      const old = latest.current.present;
      if (sameOrder(old, next.present)) return false;
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
    hasPlaced: affirmed || history.past.length > 0,
    change: (kind, next, about) => {
      const moves = go(kind, step(latest.current, next), about);
      if (!moves) setAffirmed(true);
      return moves;
    },
    undo: () => (go("undone", undo(latest.current), {}) ? latest.current.present : null),
    redo: () => (go("redone", redo(latest.current), {}) ? latest.current.present : null),
  };
}
