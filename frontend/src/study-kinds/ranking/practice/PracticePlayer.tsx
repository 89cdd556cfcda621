import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import type { PracticeProps } from "@/domains/studies/studyKind";
import type { Ranking } from "../board/rankingModel";
import styles from "./Practice.module.css";
import { PracticeAnswer } from "./PracticeAnswer";
import { PracticeTrial } from "./PracticeTrial";
import { practiceQuery, type PracticeQuestion } from "./practiceQuery";

/** Practice questions, one after the other, with what the order means. Nothing leaves this page. */
export function PracticePlayer({ showsLinks = false }: PracticeProps) {
  const questions = useQuery(practiceQuery);
  return (
    <QueryBoundary query={questions} skeleton={<SkeletonRows rows={5} height={68} />}>
      {(listed) => <Questions questions={listed} showsLinks={showsLinks} />}
    </QueryBoundary>
  );
}

function Questions({ questions, showsLinks }: { questions: PracticeQuestion[]; showsLinks: boolean }) {
  const [{ at, round }, setPlace] = useState({ at: 0, round: 0 });
  const [answer, setAnswer] = useState<Ranking>();
  const question = questions[at % questions.length];
  if (!question) return null;
  const open = (next: number) => {
    setAnswer(undefined);
    setPlace({ at: next, round: round + 1 });
  };
  return (
    <section className={styles.player} aria-labelledby="practice-question">
      <QuestionText text={question.item.text} round={round} />
      {answer ? (
        <PracticeAnswer question={question} answer={answer}>
          <Button variant="primary" size="large" onPress={() => open(at + 1)}>Rank one more</Button>
          <Button size="large" onPress={() => open(at)}>Try it again</Button>
        </PracticeAnswer>
      ) : (
        <PracticeTrial key={round} item={question.item} showsLinks={showsLinks} onDone={setAnswer} />
      )}
    </section>
  );
}

/** A question that was opened by a button takes the focus, which that button had. */
function QuestionText({ text, round }: { text: string; round: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (round > 0) heading.current?.focus();
  }, [round]);
  return <h2 id="practice-question" ref={heading} tabIndex={-1} className={styles.question}>{text}</h2>;
}
