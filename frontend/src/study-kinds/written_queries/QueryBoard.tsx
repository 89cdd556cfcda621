import { useImperativeHandle, useRef, type Ref } from "react";
import { LabelledCheckbox } from "@/components/ChoiceGroup";
import { CommentField } from "@/domains/studies/answer-board/CommentField";
import { CommentToggle } from "@/domains/studies/answer-board/CommentToggle";
import { useOpenField } from "@/domains/studies/answer-board/useOpenField";
import type { AnswerStep, AnswerUpdate, EditorHandle } from "@/domains/studies/studyKind";
import { leaksOf, type WrittenQueryAnswer, type WrittenQueryItem } from "./answer";
import { Entity } from "./Entity";
import styles from "./Query.module.css";
import { QueryField } from "./QueryField";

interface Props {
  item: WrittenQueryItem;
  answer: WrittenQueryAnswer;
  shortcutsEnabled: boolean;
  announce: (message: string) => void;
  onChange: (update: AnswerUpdate<WrittenQueryAnswer>, step: AnswerStep) => void;
  ref: Ref<EditorHandle>;
}

/** The query to be written, and below it what can be explored about its answer. */
export function QueryBoard({ item, answer, shortcutsEnabled, announce, onChange, ref }: Props) {
  const board = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { field: commentField, isOpen, open, toggle } = useOpenField(answer.comment !== "");
  const focusBoard = () => board.current?.focus({ preventScroll: true });
  const write = (query: string) => onChange((latest) => ({ ...latest, query }), { kind: "wrote", old: answer.query, new: query, isContinued: true });
  const giveUp = (is_impossible: boolean) => {
    onChange((latest) => ({ ...latest, is_impossible }), { kind: "gave_up", old: answer.is_impossible, new: is_impossible });
    announce(is_impossible ? "No query is possible." : "A query is possible.");
  };
  useImperativeHandle(ref, () => ({
    focusFirst: focusBoard,
    restoreFocus: focusBoard,
    shortcuts: { w: () => field.current?.focus(), n: () => giveUp(!answer.is_impossible), c: open },
  }));
  return (
    <div ref={board} className={styles.board} role="group" aria-label="Your query and its answer" tabIndex={-1} data-entity>
      {!answer.is_impossible && (
        <QueryField ref={field} query={answer.query} leaks={leaksOf(item, answer.query)} shortcutsEnabled={shortcutsEnabled} onChange={write} onLeave={focusBoard} />
      )}
      <div className={styles.remarks}>
        <LabelledCheckbox isSelected={answer.is_impossible} onChange={giveUp}>No query is possible</LabelledCheckbox>
        <CommentToggle text={answer.comment} isOpen={isOpen} onToggle={toggle} shortcutsEnabled={shortcutsEnabled} />
      </div>
      {isOpen && (
        <CommentField
          ref={commentField}
          value={answer.comment}
          onChange={(text) => onChange((latest) => ({ ...latest, comment: text }), { kind: "comment", old: answer.comment, new: text, isContinued: true })}
          onLeave={focusBoard}
        />
      )}
      <Entity item={item} />
    </div>
  );
}
