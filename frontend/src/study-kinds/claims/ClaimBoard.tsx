import { useImperativeHandle, type Ref } from "react";
import { ChoiceBar } from "@/domains/studies/answer-board/ChoiceBar";
import { CommentField } from "@/domains/studies/answer-board/CommentField";
import { CommentToggle } from "@/domains/studies/answer-board/CommentToggle";
import { Evidence } from "@/domains/studies/marks/Evidence";
import { moveByArrow } from "@/domains/studies/marks/evidenceFocus";
import type { AnswerStep, AnswerUpdate, EditorHandle } from "@/domains/studies/studyKind";
import { needsMark, NO_EVIDENCE, type ClaimAnswer, type ClaimItem } from "./answer";
import styles from "./Claim.module.css";
import { useClaimActions } from "./useClaimActions";
import { VERDICTS } from "./verdicts";

interface Props {
  item: ClaimItem;
  answer: ClaimAnswer;
  shortcutsEnabled: boolean;
  announce: (message: string) => void;
  onChange: (update: AnswerUpdate<ClaimAnswer>, step: AnswerStep) => void;
  ref: Ref<EditorHandle>;
}

/** The evidence, each sentence and edge of which can be marked, and the verdicts below it. */
export function ClaimBoard({ item, answer, shortcutsEnabled, announce, onChange, ref }: Props) {
  const actions = useClaimActions({ answer, announce, onChange });
  const { claim, choose, mark, commentField: { field, isOpen, open, toggle } } = actions;
  useImperativeHandle(ref, () => ({
    focusFirst: actions.focusClaim,
    restoreFocus: actions.focusClaim,
    shortcuts: {
      ...Object.fromEntries(VERDICTS.map(({ value: verdict, key }) => [key, () => choose(verdict)])),
      j: () => actions.moveFocus(1),
      k: () => actions.moveFocus(-1),
      c: open,
    },
  }));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move among the buttons inside
    <div
      ref={claim}
      className={styles.claim}
      role="group"
      aria-label="The evidence and your verdict"
      tabIndex={-1}
      data-claim
      onKeyDown={moveByArrow}
    >
      <Evidence item={item} emptyText={NO_EVIDENCE} because={answer.because} onMark={mark} />
      <div className={styles.remarks}>
        <CommentToggle text={answer.comment} isOpen={isOpen} onToggle={toggle} shortcutsEnabled={shortcutsEnabled} />
      </div>
      {isOpen && <CommentField ref={field} value={answer.comment} onChange={actions.comment} onLeave={actions.focusClaim} />}
      <ChoiceBar
        label="Does the evidence support the claim?"
        choices={VERDICTS}
        value={answer.verdict}
        className={styles.verdicts}
        shortcutsEnabled={shortcutsEnabled}
        hint={needsMark(item, answer) ? "Mark the sentence or edge that decides." : ""}
        onChange={choose}
      />
    </div>
  );
}
