import { useEffect, useRef } from "react";
import type { PracticeQuestion, Ranking } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { ExternalLink } from "@/components/ExternalLink";
import { orderWords } from "@/components/ranking/words";
import styles from "./Practice.module.css";

interface Props {
  practice: PracticeQuestion;
  answer: Ranking;
  onAgain: () => void;
}

/** What she made of the practice question, and what there was to see in it. */
export function Shown({ practice: { question, explanation, sources }, answer, onAgain }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.shown}>
      <h2 ref={heading} tabIndex={-1} className={styles.arrived}>
        Your order
      </h2>
      <ol className={styles.order}>
        {orderWords(answer, question.candidates).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      <p>{explanation}</p>
      <p>Nothing was saved or sent. In a study every change is kept, and you can go back to each answer.</p>
      <details className={styles.definition}>
        <summary>Where this comes from</summary>
        <ul className={styles.sources}>
          {sources.map(({ claim, source, url }) => (
            <li key={claim}>
              {claim} <ExternalLink href={url}>{source}</ExternalLink>
            </li>
          ))}
        </ul>
      </details>
      <div className={styles.ways}>
        <Button size="large" onPress={onAgain}>
          Try it again
        </Button>
        <ButtonLink to="/leaderboard" size="large">
          See the leaderboard
        </ButtonLink>
      </div>
    </div>
  );
}
