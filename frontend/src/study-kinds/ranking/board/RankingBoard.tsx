import { Redo2, Undo2 } from "lucide-react";
import { useId, useImperativeHandle, useRef, type KeyboardEvent, type Ref } from "react";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { boardShortcut, isOnCandidate } from "./boardShortcuts";
import type { PriorSource } from "./labels";
import { PairCards } from "./PairCards";
import { RankedList } from "./RankedList";
import styles from "./RankingBoard.module.css";
import { flattenRanking, isSameOrder, startOrder, type Ranking } from "./rankingModel";
import type { BoardCandidate } from "./types";
import { useBoardActions } from "./useBoardActions";
import { useCardFocus } from "./useCardFocus";
import type { RankingControl } from "./useRanking";

export interface BoardHandle {
  /** Without scrolling to it: the question stays in sight. */
  focusFirst: () => void;
  /** The candidate that had focus last, or the first. */
  restoreFocus: () => void;
}

interface Props {
  candidates: BoardCandidate[];
  /** Undefined where the question comes without one. */
  prior: Ranking | undefined;
  priorName?: PriorSource;
  control: RankingControl;
  /** Whether the order was submitted before, even if it equals the one at the start. */
  isAnswered?: boolean;
  /** Whether single letters and digits act while a candidate has focus. */
  shortcutsEnabled: boolean;
  announce: (words: string) => void;
  onLinkOpened?: (candidate: BoardCandidate) => void;
  ref?: Ref<BoardHandle>;
}

/** The candidates of one question, to be put in order: a list, or a pair where there are two. */
export function RankingBoard(props: Props) {
  const { candidates, prior, priorName = "model", control, isAnswered = false, shortcutsEnabled, announce, onLinkOpened, ref } = props;
  const root = useRef<HTMLElement>(null);
  const heading = useId();
  const focus = useCardFocus(root);
  const actions = useBoardActions({ candidates, control, focus, announce });
  const isPair = candidates.length === 2;
  const start = startOrder({ candidates, prior });
  const shown = flattenRanking(isPair ? start : control.ranking);

  useImperativeHandle(ref, () => ({
    focusFirst: () => shown[0] && focus.focus(shown[0], { preventScroll: true }),
    restoreFocus: () => {
      const id = focus.current() ?? shown[0];
      if (id) focus.focus(id);
    },
  }));

  function onKeyDown(event: KeyboardEvent): void {
    const key = isOnCandidate(event.target) ? boardShortcut(event, shortcutsEnabled) : null;
    const id = focus.current();
    if (!key || !id || event.defaultPrevented) return;
    event.preventDefault();
    actions.press(key, id, shown);
  }

  const Cards = isPair ? PairCards : RankedList;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys pressed on its cards
    <section ref={root} aria-labelledby={heading} onKeyDown={onKeyDown} className={styles.board}>
      <div className={styles.head}>
        <h2 id={heading}>{isPair ? "Which is more serendipitous?" : "Put the most serendipitous first"}</h2>
        <UndoRedo control={control} shortcutsEnabled={shortcutsEnabled} onUndo={actions.undo} onRedo={actions.redo} />
      </div>
      <Cards
        candidates={candidates}
        displayOrder={shown}
        prior={prior}
        priorName={priorName}
        ranking={control.ranking}
        isUserOrder={isAnswered || control.hasChanged || !isSameOrder(control.ranking, start)}
        actions={actions}
        {...(onLinkOpened && { onLinkOpened })}
      />
    </section>
  );
}

interface UndoRedoProps {
  control: RankingControl;
  shortcutsEnabled: boolean;
  onUndo: () => void;
  onRedo: () => void;
}

/** Never disabled: a button that disappeared would lose the focus. With nothing left, they announce it. */
function UndoRedo({ control, shortcutsEnabled, onUndo, onRedo }: UndoRedoProps) {
  return (
    <div className={styles.undo}>
      <Button variant="quiet" onPress={onUndo} aria-disabled={!control.canUndo}>
        <Undo2 size={16} aria-hidden />
        Undo
        {shortcutsEnabled && <Kbd>U</Kbd>}
      </Button>
      <Button variant="quiet" size="icon" onPress={onRedo} aria-disabled={!control.canRedo} aria-label="Redo">
        <Redo2 size={16} aria-hidden />
      </Button>
    </div>
  );
}
