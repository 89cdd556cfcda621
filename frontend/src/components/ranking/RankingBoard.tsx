import { Redo2, Undo2 } from "lucide-react";
import { useId, useImperativeHandle, useRef, type KeyboardEvent, type Ref } from "react";
import type { Candidate, Ranking } from "@/api/contract";
import { Button } from "../Button";
import { Kbd } from "../Kbd";
import { boardKey, onCandidate } from "./keys";
import { flat, sameOrder } from "./model";
import { PairCards } from "./PairCards";
import styles from "./RankingBoard.module.css";
import { RankedList } from "./RankedList";
import { useBoardActions } from "./useBoardActions";
import { useCardFocus } from "./useCardFocus";
import type { RankingControl } from "./useRanking";
import type { PriorName } from "./words";

export type BoardCandidate = Candidate & { hint?: string };

export interface BoardHandle {
  /** Without scrolling to it: what is asked stays in sight. */
  focusFirst: () => void;
  /** The candidate that had focus last, or the first. */
  focusBack: () => void;
}

interface Props {
  candidates: BoardCandidate[];
  prior: Ranking;
  priorName?: PriorName;
  control: RankingControl;
  /** Whether the order is one that she submitted before, be it the same as the prior. */
  isAnswered?: boolean;
  /** Whether single letters and digits act while a candidate has focus. */
  letters: boolean;
  say: (words: string) => void;
  onLinkOpened?: (candidate: BoardCandidate) => void;
  ref?: Ref<BoardHandle>;
}

/** The candidates of one question, to be put in order: a list, or a pair where there are two. */
export function RankingBoard(props: Props) {
  const { candidates, prior, priorName = "model", control, isAnswered = false, letters, say, onLinkOpened, ref } = props;
  const root = useRef<HTMLElement>(null);
  const heading = useId();
  const focus = useCardFocus(root);
  const actions = useBoardActions({ candidates, control, focus, say });
  const isPair = candidates.length === 2;
  const shown = flat(isPair ? prior : control.ranking);

  useImperativeHandle(ref, () => ({
    focusFirst: () => shown[0] && focus.focus(shown[0], { preventScroll: true }),
    focusBack: () => {
      const id = focus.current() ?? shown[0];
      if (id) focus.focus(id);
    },
  }));

  function onKeyDown(event: KeyboardEvent): void {
    const key = onCandidate(event.target) ? boardKey(event, letters) : null;
    const id = focus.current();
    if (!key || !id || event.defaultPrevented) return;
    event.preventDefault();
    actions.press(key, id, shown);
  }

  const Cards = isPair ? PairCards : RankedList;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears the keys of its cards
    <section ref={root} aria-labelledby={heading} onKeyDown={onKeyDown} className={styles.board}>
      <div className={styles.head}>
        <h2 id={heading}>{isPair ? "Which is more serendipitous?" : "Most serendipitous first"}</h2>
        <UndoRedo control={control} letters={letters} onUndo={actions.undo} onRedo={actions.redo} />
      </div>
      <Cards
        candidates={candidates}
        shown={shown}
        prior={prior}
        priorName={priorName}
        ranking={control.ranking}
        isHers={isAnswered || control.hasPlaced || !sameOrder(control.ranking, prior)}
        actions={actions}
        {...(onLinkOpened && { onLinkOpened })}
      />
    </section>
  );
}

interface UndoRedoProps {
  control: RankingControl;
  letters: boolean;
  onUndo: () => void;
  onRedo: () => void;
}

/** Pressed to the end of what there is, they keep the focus and say so: none may vanish under her key. */
function UndoRedo({ control, letters, onUndo, onRedo }: UndoRedoProps) {
  return (
    <div className={styles.undo}>
      <Button look="quiet" onPress={onUndo} aria-disabled={!control.canUndo}>
        <Undo2 size={16} aria-hidden />
        Undo
        {letters && <Kbd>U</Kbd>}
      </Button>
      <Button look="quiet" size="icon" onPress={onRedo} aria-disabled={!control.canRedo} aria-label="Redo">
        <Redo2 size={16} aria-hidden />
      </Button>
    </div>
  );
}
