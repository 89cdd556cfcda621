import { useState } from "react";
import { PracticeItem } from "@/domains/studies/practice/PracticeItem";
import { levelsText, submissionOf } from "@/domains/studies/scales/scaledAnswer";
import { emptyAnswer } from "../answer";
import { CheckBoard } from "../CheckBoard";
import { EXPLANATION, PRACTICE_ITEM, SOURCES } from "./item";

export function PracticeCheck() {
  const [answer, setAnswer] = useState(() => emptyAnswer(PRACTICE_ITEM));
  return (
    <PracticeItem
      text={PRACTICE_ITEM.text}
      isComplete={!submissionOf(PRACTICE_ITEM, answer).isIncomplete}
      revealLabel="Show what to consider"
      result={`${levelsText(PRACTICE_ITEM, answer)}.`}
      explanation={EXPLANATION}
      sources={SOURCES}
      renderBoard={(ref, announce) => (
        <CheckBoard ref={ref} item={PRACTICE_ITEM} answer={answer} shortcutsEnabled={false} announce={announce} onChange={(update) => setAnswer(update)} />
      )}
    />
  );
}
