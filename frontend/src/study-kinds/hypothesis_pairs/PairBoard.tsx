import { useImperativeHandle, type Ref } from "react";
import { ChoiceBar } from "@/domains/studies/answer-board/ChoiceBar";
import { moveByArrow } from "@/domains/studies/marks/evidenceFocus";
import type { AnswerStep, AnswerUpdate, EditorHandle } from "@/domains/studies/studyKind";
import { betterLabel, type PairAnswer, type PairItem } from "./answer";
import { Background } from "./Background";
import styles from "./Pair.module.css";
import { CHOICES } from "./choices";
import { HypothesisCard } from "./HypothesisCard";
import { Remarks } from "./Remarks";
import { usePairActions } from "./usePairActions";

interface Props {
  item: PairItem;
  answer: PairAnswer;
  shortcutsEnabled: boolean;
  announce: (message: string) => void;
  onChange: (update: AnswerUpdate<PairAnswer>, step: AnswerStep) => void;
  onBackground?: () => void;
  ref: Ref<EditorHandle>;
}

const SHOWN_CHOICES = CHOICES.map(({ lines: [first, second], ...choice }) => ({
  ...choice,
  content: <>{first} <span className={styles.second}>{second}</span></>,
}));

/** Two hypotheses side by side, or one above the other on a phone, and the choices below them. */
export function PairBoard({ item, answer, shortcutsEnabled, announce, onChange, onBackground, ref }: Props) {
  const actions = usePairActions({ answer, announce, onChange });
  const { pair, choose, mark, isMarking, leaveMarking } = actions;
  useImperativeHandle(ref, () => ({
    focusFirst: actions.focusPair,
    restoreFocus: actions.focusPair,
    shortcuts: {
      ...Object.fromEntries(CHOICES.map(({ value: choice, key }) => [key, () => choose(choice)])),
      w: actions.toggleMarking,
      c: actions.commentField.open,
    },
  }));
  const marking = isMarking && { marking: { onMark: mark, onLeave: leaveMarking } };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move among the sentences inside
    <div
      ref={pair}
      className={styles.pair}
      role="group"
      aria-label="The two hypotheses and your choice"
      tabIndex={-1}
      data-pair
      onKeyDown={moveByArrow}
    >
      <Background item={item} because={answer.because} {...marking} {...(onBackground && { onOpen: onBackground })} />
      <div className={styles.columns} data-columns>
        {item.hypotheses.map((shown) => (
          <HypothesisCard
            key={shown.id}
            shown={shown}
            mark={betterLabel(answer.choice, shown.id)}
            because={answer.because}
            {...marking}
          />
        ))}
      </div>
      <Remarks item={item} answer={answer} actions={actions} shortcutsEnabled={shortcutsEnabled} />
      <ChoiceBar
        label="Which hypothesis is better?"
        choices={SHOWN_CHOICES}
        value={answer.choice}
        className={styles.choices}
        shortcutsEnabled={shortcutsEnabled}
        onChange={choose}
      />
    </div>
  );
}
