import { useRef } from "react";
import { useOpenField } from "@/domains/studies/answer-board/useOpenField";
import { moveAmongEvidence } from "@/domains/studies/marks/evidenceFocus";
import { markChange, toggleMark } from "@/domains/studies/marks/marks";
import type { PassageMark } from "@/domains/studies/marks/passages";
import type { AnswerStep, AnswerUpdate } from "@/domains/studies/studyKind";
import type { ClaimAnswer } from "./answer";
import { verdictLabel, type Verdict } from "./verdicts";

interface Options {
  answer: ClaimAnswer;
  announce: (message: string) => void;
  onChange: (update: AnswerUpdate<ClaimAnswer>, step: AnswerStep) => void;
}

/** What can be done with a claim, by key, mouse or touch, and where the focus goes then. */
export function useClaimActions({ answer, announce, onChange }: Options) {
  const claim = useRef<HTMLDivElement>(null);
  const commentField = useOpenField(answer.comment !== "");

  function choose(verdict: Verdict): void {
    onChange((latest) => ({ ...latest, verdict }), { kind: "chose", old: answer.verdict, new: verdict });
    announce(`${verdictLabel(verdict)}.`);
  }

  function mark(one: PassageMark): void {
    const { message, step } = markChange(answer.because, one);
    announce(message);
    if (step) onChange((latest) => ({ ...latest, because: toggleMark(latest.because, one) }), step);
  }

  return {
    claim,
    focusClaim: () => claim.current?.focus({ preventScroll: true }),
    choose,
    mark,
    moveFocus: (step: 1 | -1) => void moveAmongEvidence(claim.current, step),
    comment: (text: string) =>
      onChange((latest) => ({ ...latest, comment: text }), { kind: "comment", old: answer.comment, new: text, isContinued: true }),
    commentField,
  };
}

export type ClaimActions = ReturnType<typeof useClaimActions>;
