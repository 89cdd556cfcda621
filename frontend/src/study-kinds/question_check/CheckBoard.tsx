import { useRef, type Ref } from "react";
import { ScaleBoard } from "@/domains/studies/scales/ScaleBoard";
import type { AnswerStep, AnswerUpdate, EditorHandle } from "@/domains/studies/studyKind";
import { correctionOf, type QuestionCheckAnswer, type QuestionCheckItem } from "./answer";
import { CorrectionField, type CorrectionHandle } from "./CorrectionField";
import { QuestionSource } from "./QuestionSource";

interface Props {
  item: QuestionCheckItem;
  answer: QuestionCheckAnswer;
  shortcutsEnabled: boolean;
  announce: (message: string) => void;
  onChange: (update: AnswerUpdate<QuestionCheckAnswer>, step: AnswerStep) => void;
  ref: Ref<EditorHandle>;
}

/** The pattern and the answers behind the question, its scales, and its wording to be corrected. */
export function CheckBoard({ item, answer, shortcutsEnabled, announce, onChange, ref }: Props) {
  const field = useRef<CorrectionHandle>(null);
  const correct = (written: string) => {
    const correction = correctionOf(item, written);
    onChange((latest) => ({ ...latest, correction }), { kind: "corrected", old: answer.correction, new: correction, isContinued: true });
  };
  const extra = {
    render: (leave: () => void) => (
      <CorrectionField ref={field} original={item.text} correction={answer.correction} shortcutsEnabled={shortcutsEnabled} onChange={correct} onLeave={leave} />
    ),
    shortcuts: { w: () => field.current?.open() },
  };
  return (
    <ScaleBoard ref={ref} item={item} answer={answer} shortcutsEnabled={shortcutsEnabled} announce={announce} onChange={onChange} extra={extra}>
      <QuestionSource item={item} />
    </ScaleBoard>
  );
}
