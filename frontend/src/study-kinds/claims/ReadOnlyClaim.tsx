import { AnswerLines } from "@/domains/studies/answer-board/AnswerLines";
import type { ReadOnlyProps } from "@/domains/studies/studyKind";
import { answerLines, type ClaimAnswer, type ClaimItem } from "./answer";
import styles from "./Claim.module.css";
import { Evidence } from "./Evidence";

export function ReadOnlyClaim({ item, answer }: ReadOnlyProps<ClaimItem, ClaimAnswer>) {
  return (
    <div className={styles.claim}>
      <Evidence item={item} because={answer.because} />
      <AnswerLines lines={answerLines(item, answer)} />
    </div>
  );
}
