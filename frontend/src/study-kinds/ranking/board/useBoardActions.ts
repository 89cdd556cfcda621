import type { Id, Json } from "@/api/contract";
import type { BoardShortcut } from "./boardShortcuts";
import { orderLines, rankLabel, type NamedCandidate } from "./labels";
import { moveToIndex, flattenRanking, isTiedWithAbove, moveDown, moveToRank, moveUp, tieWithAbove, untie, type Ranking } from "./rankingModel";
import type { CardFocus } from "./useCardFocus";
import type { RankingControl } from "./useRanking";

type InputMethod = "button" | "key" | "drag" | "menu";

interface BoardActionOptions {
  candidates: NamedCandidate[];
  control: RankingControl;
  focus: CardFocus;
  announce: (words: string) => void;
}

/** The changes of the order, shared by buttons, keys and dragging; each is announced. */
export function useBoardActions({ candidates, control, focus, announce }: BoardActionOptions) {
  const { ranking } = control;

  function change(kind: "moved" | "tied" | "untied", id: Id, next: Ranking, by: InputMethod): void {
    focus.keepFocus();
    const describeMove: { [key: string]: Json } = { candidate: id, by };
    const announceUnchanged = control.change(kind, next, describeMove) ? "" : ", as before";
    announce(`${rankLabel(next, candidates, id)}${announceUnchanged}`);
  }

  function undo(what: "Undone" | "Redone", now: Ranking | null): void {
    announce(now ? `${what}. ${orderLines(now, candidates).join(", ")}` : `Nothing to ${what === "Undone" ? "undo" : "redo"}.`);
  }

  const actions = {
    move: (id: Id, by: 1 | -1, way: InputMethod) =>
      change("moved", id, by < 0 ? moveUp(ranking, id) : moveDown(ranking, id), way),
    place: (id: Id, rank: number, way: InputMethod) => change("moved", id, moveToRank(ranking, id, rank), way),
    drop: (id: Id, index: number) => change("moved", id, moveToIndex(ranking, id, index), "drag"),
    tie: (id: Id, way: InputMethod) => change("tied", id, tieWithAbove(ranking, id), way),
    toggleTie(id: Id, way: InputMethod): void {
      if (isTiedWithAbove(ranking, id)) return change("untied", id, untie(ranking, id), way);
      if (flattenRanking(ranking)[0] === id) return announce("There is no candidate above this one to tie it with.");
      change("tied", id, tieWithAbove(ranking, id), way);
    },
    undo(): void {
      focus.keepFocus();
      undo("Undone", control.undo());
    },
    redo(): void {
      focus.keepFocus();
      undo("Redone", control.redo());
    },
    stepFocus(shown: Id[], id: Id, by: 1 | -1): void {
      const next = shown[shown.indexOf(id) + by];
      if (next) focus.focus(next);
    },
  };

  function placeByKey(id: Id, rank: number): void {
    if (rank <= candidates.length) actions.place(id, rank, "key");
    else announce(`There is no rank ${rank}: the last is ${candidates.length}.`);
  }

  function press(key: BoardShortcut, id: Id, shown: Id[]): void {
    if (key.do === "focus") actions.stepFocus(shown, id, key.by);
    if (key.do === "move") actions.move(id, key.by, "key");
    if (key.do === "place") placeByKey(id, key.rank);
    if (key.do === "tie") actions.toggleTie(shown.length === 2 ? (flattenRanking(ranking)[1] ?? id) : id, "key");
    if (key.do === "undo") actions.undo();
    if (key.do === "redo") actions.redo();
  }

  return { ...actions, press };
}

export type BoardActions = ReturnType<typeof useBoardActions>;
