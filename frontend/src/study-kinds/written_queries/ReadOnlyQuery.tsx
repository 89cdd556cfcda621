import { AnswerLines } from "@/domains/studies/answer-board/AnswerLines";
import type { ReadOnlyProps } from "@/domains/studies/studyKind";
import { answerLines, type WrittenQueryAnswer, type WrittenQueryItem } from "./answer";
import { Entity } from "./Entity";
import styles from "./Query.module.css";

export function ReadOnlyQuery({ item, answer }: ReadOnlyProps<WrittenQueryItem, WrittenQueryAnswer>) {
  return (
    <div className={styles.board}>
      <AnswerLines lines={answerLines(answer)} />
      <Entity item={item} />
    </div>
  );
}
