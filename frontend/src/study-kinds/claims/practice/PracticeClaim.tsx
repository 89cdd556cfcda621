import { useState } from "react";
import { PracticeItem } from "@/domains/studies/practice/PracticeItem";
import { emptyAnswer, submissionOf } from "../answer";
import { ClaimBoard } from "../ClaimBoard";
import { verdictLabel } from "../verdicts";
import { EXPLANATION, PRACTICE_CLAIM, SOURCES } from "./claim";

export function PracticeClaim() {
  const [answer, setAnswer] = useState(emptyAnswer);
  return (
    <PracticeItem
      text={PRACTICE_CLAIM.text}
      isComplete={!submissionOf(PRACTICE_CLAIM, answer).isIncomplete}
      revealLabel="Show what is known"
      result={`You chose: ${verdictLabel(answer.verdict ?? "")}.`}
      explanation={EXPLANATION}
      sources={SOURCES}
      renderBoard={(ref, announce) => (
        <ClaimBoard ref={ref} item={PRACTICE_CLAIM} answer={answer} shortcutsEnabled={false} announce={announce} onChange={(update) => setAnswer(update)} />
      )}
    />
  );
}
