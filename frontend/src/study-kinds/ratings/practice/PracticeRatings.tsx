import { useState } from "react";
import { PracticeItem } from "@/domains/studies/practice/PracticeItem";
import { ScaleBoard } from "@/domains/studies/scales/ScaleBoard";
import { emptyAnswer, levelsText, submissionOf } from "@/domains/studies/scales/scaledAnswer";
import { Details } from "../Details";
import { EXPLANATION, PRACTICE_ITEM, SOURCES } from "./item";

export function PracticeRatings() {
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
        <ScaleBoard ref={ref} item={PRACTICE_ITEM} answer={answer} shortcutsEnabled={false} announce={announce} onChange={(update) => setAnswer(update)}>
          <Details text={PRACTICE_ITEM.details} />
        </ScaleBoard>
      )}
    />
  );
}
