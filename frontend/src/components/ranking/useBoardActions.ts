import type { Id, Json, Ranking } from "@/api/contract";
import type { BoardKey } from "./keys";
import {
  dropAt,
  flat,
  isTiedWithAbove,
  moveDown,
  moveToRank,
  moveUp,
  tieWithAbove,
  untie,
} from "./model";
import type { CardFocus } from "./useCardFocus";
import type { RankingControl } from "./useRanking";
import { orderWords, placeWords, type Named } from "./words";

export type By = "button" | "key" | "drag" | "menu";

interface Parts {
  candidates: Named[];
  control: RankingControl;
  focus: CardFocus;
  say: (words: string) => void;
}

/** What she can do to the order; every way in ends here, and each is said aloud. */
export function useBoardActions({ candidates, control, focus, say }: Parts) {
  const { ranking } = control;

  function change(kind: "moved" | "tied" | "untied", id: Id, next: Ranking, by: By): void {
    focus.hold();
    const about: { [key: string]: Json } = { candidate: id, by };
    const stays = control.change(kind, next, about) ? "" : ", as before";
    say(`${placeWords(next, candidates, id)}${stays}`);
  }

  function takeBack(what: "Undone" | "Redone", now: Ranking | null): void {
    say(now ? `${what}. ${orderWords(now, candidates).join(", ")}` : `Nothing to ${what === "Undone" ? "undo" : "redo"}.`);
  }

  const actions = {
    move: (id: Id, by: 1 | -1, way: By) =>
      change("moved", id, by < 0 ? moveUp(ranking, id) : moveDown(ranking, id), way),
    place: (id: Id, rank: number, way: By) => change("moved", id, moveToRank(ranking, id, rank), way),
    drop: (id: Id, index: number) => change("moved", id, dropAt(ranking, id, index), "drag"),
    tie: (id: Id, way: By) => change("tied", id, tieWithAbove(ranking, id), way),
    toggleTie(id: Id, way: By): void {
      if (isTiedWithAbove(ranking, id)) return change("untied", id, untie(ranking, id), way);
      if (flat(ranking)[0] === id) return say("There is no candidate above this one to tie it with.");
      change("tied", id, tieWithAbove(ranking, id), way);
    },
    undo(): void {
      focus.hold();
      takeBack("Undone", control.undo());
    },
    redo(): void {
      focus.hold();
      takeBack("Redone", control.redo());
    },
    stepFocus(shown: Id[], id: Id, by: 1 | -1): void {
      const next = shown[shown.indexOf(id) + by];
      if (next) focus.focus(next);
    },
  };

  function press(key: BoardKey, id: Id, shown: Id[]): void {
    if (key.do === "focus") actions.stepFocus(shown, id, key.by);
    if (key.do === "move") actions.move(id, key.by, "key");
    if (key.do === "place" && key.rank <= candidates.length) actions.place(id, key.rank, "key");
    if (key.do === "tie") actions.toggleTie(shown.length === 2 ? (flat(ranking)[1] ?? id) : id, "key");
    if (key.do === "undo") actions.undo();
    if (key.do === "redo") actions.redo();
  }

  return { ...actions, press };
}

export type BoardActions = ReturnType<typeof useBoardActions>;
