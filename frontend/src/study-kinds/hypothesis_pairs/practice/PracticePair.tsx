import { useState } from "react";
import { PracticeItem } from "@/domains/studies/practice/PracticeItem";
import { emptyAnswer } from "../answer";
import { choiceLabel } from "../choices";
import { PairBoard } from "../PairBoard";
import { EXPLANATION, PRACTICE_PAIR, SOURCES } from "./pair";

export function PracticePair() {
  const [answer, setAnswer] = useState(emptyAnswer);
  return (
    <PracticeItem
      text={PRACTICE_PAIR.text}
      isComplete={answer.choice !== null}
      revealLabel="Show what is known"
      result={`You chose: ${choiceLabel(answer.choice ?? "")}.`}
      explanation={EXPLANATION}
      sources={SOURCES}
      renderBoard={(ref, announce) => (
        <PairBoard ref={ref} item={PRACTICE_PAIR} answer={answer} shortcutsEnabled={false} announce={announce} onChange={(update) => setAnswer(update)} />
      )}
    />
  );
}
