import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PracticeQuestion, Ranking } from "@/api/contract";
import { Button } from "@/components/Button";
import { Definition } from "@/components/definition";
import { Loadable } from "@/components/Loadable";
import { Page } from "@/components/Page";
import { isEndingChord } from "@/components/ranking/keys";
import { RankingBoard } from "@/components/ranking/RankingBoard";
import { sameOrder } from "@/components/ranking/model";
import { useRanking } from "@/components/ranking/useRanking";
import { SkeletonRows } from "@/components/SkeletonRows";
import { useAnnouncer } from "@/components/useAnnouncer";
import { useLetterKeys } from "@/lib/keysSetting";
import { practiceQuery } from "@/lib/practice";
import styles from "./Practice.module.css";
import { Shown } from "./Shown";

/** One question to try, as experts see it. Nothing leaves this page. */
export function PracticePage() {
  const practice = useQuery(practiceQuery);
  return (
    <Page title="A practice question" lead="Put the answers in your own order. Nothing is saved or sent.">
      <Loadable query={practice} skeleton={<SkeletonRows rows={5} height={64} />}>
        {(data) => <Practice practice={data} />}
      </Loadable>
    </Page>
  );
}

function Practice({ practice }: { practice: PracticeQuestion }) {
  const { question } = practice;
  const [answer, setAnswer] = useState<Ranking>();
  const [round, setRound] = useState(0);
  const again = () => {
    setAnswer(undefined);
    setRound(round + 1);
  };
  if (answer) return <Shown practice={practice} answer={answer} onAgain={again} />;
  return (
    <>
      <h2 className={styles.question}>{question.text}</h2>
      <Trial key={round} question={question} onDone={setAnswer} />
      <details className={styles.definition}>
        <summary>What serendipitous means here</summary>
        <Definition />
      </details>
    </>
  );
}

interface TrialProps {
  question: PracticeQuestion["question"];
  onDone: (ranking: Ranking) => void;
}

function Trial({ question, onDone }: TrialProps) {
  const control = useRanking(question.prior);
  const [letters] = useLetterKeys();
  const { say, region } = useAnnouncer();
  const agrees = sameOrder(control.ranking, question.prior);
  return (
    // The same chord as in a study ends the question from anywhere in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.trial}
      onKeyDown={(event) => {
        if (!isEndingChord(event)) return;
        event.preventDefault();
        onDone(control.ranking);
      }}
    >
      <RankingBoard
        candidates={question.candidates}
        prior={question.prior}
        priorName="start"
        control={control}
        letters={letters}
        say={say}
      />
      <div>
        <Button look="primary" size="large" onPress={() => onDone(control.ranking)}>
          {agrees ? "I agree with this order" : "Show what my order means"}
        </Button>
      </div>
      {region}
    </div>
  );
}
