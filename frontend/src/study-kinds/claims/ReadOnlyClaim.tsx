import { AnswerLines } from "@/domains/studies/answer-board/AnswerLines";
import { Evidence } from "@/domains/studies/marks/Evidence";
import type { ReadOnlyProps } from "@/domains/studies/studyKind";
import { answerLines, NO_EVIDENCE, type ClaimAnswer, type ClaimItem } from "./answer";
import styles from "./Claim.module.css";

export function ReadOnlyClaim({ item, answer }: ReadOnlyProps<ClaimItem, ClaimAnswer>) {
  return (
    <div className={styles.claim}>
      <Evidence item={item} emptyText={NO_EVIDENCE} because={answer.because} />
      <AnswerLines lines={answerLines(item, answer)} />
    </div>
  );
}
