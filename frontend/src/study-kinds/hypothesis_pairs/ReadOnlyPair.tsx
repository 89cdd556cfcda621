import { AnswerLines } from "@/domains/studies/answer-board/AnswerLines";
import type { ReadOnlyProps } from "@/domains/studies/studyKind";
import { answerLines, betterLabel, type PairAnswer, type PairItem } from "./answer";
import { Background } from "./Background";
import { HypothesisCard } from "./HypothesisCard";
import styles from "./Pair.module.css";

export function ReadOnlyPair({ item, answer }: ReadOnlyProps<PairItem, PairAnswer>) {
  return (
    <div className={styles.pair}>
      <Background item={item} because={answer.because} />
      <div className={styles.columns}>
        {item.hypotheses.map((shown) => (
          <HypothesisCard key={shown.id} shown={shown} mark={betterLabel(answer.choice, shown.id)} because={answer.because} />
        ))}
      </div>
      <AnswerLines lines={answerLines(item, answer)} />
    </div>
  );
}
