import type { ReactNode } from "react";
import { AnswerLines } from "@/domains/studies/answer-board/AnswerLines";
import type { AnswerLine } from "@/domains/studies/answerLines";
import { scaleText, type ScaledAnswer, type ScaledItem } from "./scaledAnswer";
import styles from "./Scales.module.css";

interface Props {
  item: ScaledItem;
  answer: ScaledAnswer;
  /** What was rated. */
  children: ReactNode;
  /** What else was answered. */
  extra?: AnswerLine[];
}

export function ReadOnlyScales({ item, answer, children, extra = [] }: Props) {
  const others: AnswerLine[] = [...extra, ["Comment", answer.comment]];
  const given = others.filter(([, text]) => text);
  return (
    <div className={styles.board}>
      {children}
      <dl className={styles.answer}>
        {item.scales.map(({ name, question, low, high }) => (
          <div key={name}>
            <dt><span className={styles.name}>{name}</span> {question} <span className={styles.note}>1: {low}; 5: {high}</span></dt>
            <dd>{scaleText(answer, name) || "no answer"}</dd>
          </div>
        ))}
      </dl>
      {given.length > 0 && <AnswerLines lines={given} />}
    </div>
  );
}
