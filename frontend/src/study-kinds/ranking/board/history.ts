/** Undo and redo of a ranking: what was, what is, what was taken back. */
import { isSameOrder, type Ranking } from "./rankingModel";

export interface History {
  past: Ranking[];
  present: Ranking;
  future: Ranking[];
}

export const startHistory = (present: Ranking): History => ({ past: [], present, future: [] });

/** A step that changes nothing is no step: undoing it would look broken. */
export function pushHistory(history: History, next: Ranking): History {
  if (isSameOrder(history.present, next)) return history;
  return { past: [...history.past, history.present], present: next, future: [] };
}

export function undo(history: History): History {
  const before = history.past.at(-1);
  if (!before) return history;
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future] };
}

export function redo(history: History): History {
  const [after, ...future] = history.future;
  if (!after) return history;
  return { past: [...history.past, history.present], present: after, future };
}
