import { useState } from "react";
import { PracticeItem } from "@/domains/studies/practice/PracticeItem";
import { emptyAnswer, submissionOf } from "../answer";
import { QueryBoard } from "../QueryBoard";
import { EXPLANATION, PRACTICE_ENTITY, SOURCES } from "./entity";

export function PracticeQuery() {
  const [answer, setAnswer] = useState(emptyAnswer);
  return (
    <PracticeItem
      text={PRACTICE_ENTITY.text}
      isComplete={!submissionOf(PRACTICE_ENTITY, answer).isIncomplete}
      revealLabel="Show what to consider"
      result={answer.is_impossible ? "You chose: no query is possible." : `You wrote: “${answer.query.trim()}”.`}
      explanation={EXPLANATION}
      sources={SOURCES}
      renderBoard={(ref, announce) => (
        <QueryBoard ref={ref} item={PRACTICE_ENTITY} answer={answer} shortcutsEnabled={false} announce={announce} onChange={(update) => setAnswer(update)} />
      )}
    />
  );
}
