import { useImperativeHandle, type ReactNode, type Ref } from "react";
import { CommentField } from "@/domains/studies/answer-board/CommentField";
import { CommentToggle } from "@/domains/studies/answer-board/CommentToggle";
import type { AnswerStep, AnswerUpdate, EditorHandle } from "@/domains/studies/studyKind";
import { LEVELS, type ScaledAnswer, type ScaledItem } from "./scaledAnswer";
import styles from "./Scales.module.css";
import { ScaleCard } from "./ScaleCard";
import { useScaleActions, type ScaleActions } from "./useScaleActions";

interface Props<Answer extends ScaledAnswer> {
  item: ScaledItem;
  answer: Answer;
  shortcutsEnabled: boolean;
  announce: (message: string) => void;
  onChange: (update: AnswerUpdate<Answer>, step: AnswerStep) => void;
  ref: Ref<EditorHandle>;
  /** What is rated, above the scales. */
  children: ReactNode;
  /** What the kind adds to the answer; leave: back to the scales. */
  extra?: { render: (leave: () => void) => ReactNode; shortcuts: Record<string, () => void> };
}

/** What is rated, its scales one below the other, what the kind adds, and a comment. */
export function ScaleBoard<Answer extends ScaledAnswer>(props: Props<Answer>) {
  const { item, answer, shortcutsEnabled, announce, onChange, ref, children, extra } = props;
  const { board, ...actions } = useScaleActions({ item, answer, announce, onChange });
  useImperativeHandle(ref, () => ({
    focusFirst: actions.focusActive,
    restoreFocus: actions.focusActive,
    shortcuts: {
      ...Object.fromEntries(LEVELS.map((level) => [`${level}`, () => actions.pressDigit(level)])),
      arrowdown: () => actions.move(1),
      arrowup: () => actions.move(-1),
      n: actions.showReasonsOfActive,
      c: actions.commentField.open,
      ...extra?.shortcuts,
    },
  }));
  return (
    <div ref={board} className={styles.board} data-scales>
      {children}
      <ul className={styles.scales}>
        {item.scales.map((scale) => (
          <li key={scale.name}>
            <ScaleCard scale={scale} answer={answer} actions={actions} shortcutsEnabled={shortcutsEnabled} />
          </li>
        ))}
      </ul>
      {extra?.render(actions.focusActive)}
      <Comment value={answer.comment} actions={actions} shortcutsEnabled={shortcutsEnabled} />
    </div>
  );
}

function Comment({ value, actions, shortcutsEnabled }: { value: string; actions: ScaleActions; shortcutsEnabled: boolean }) {
  const { field, isOpen, toggle } = actions.commentField;
  return (
    <div className={styles.remarks}>
      <CommentToggle text={value} isOpen={isOpen} onToggle={toggle} shortcutsEnabled={shortcutsEnabled} />
      {isOpen && <CommentField ref={field} value={value} onChange={actions.comment} onLeave={actions.focusActive} />}
    </div>
  );
}
