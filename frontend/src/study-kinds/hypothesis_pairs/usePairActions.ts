import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useOpenField } from "@/domains/studies/answer-board/useOpenField";
import { moveAmongEvidence } from "@/domains/studies/marks/evidenceFocus";
import type { AnswerStep, AnswerUpdate } from "@/domains/studies/studyKind";
import { isSameSentence, type Choice, type DecidingSentence, type PairAnswer } from "./answer";
import { choiceLabel } from "./choices";

interface Options {
  answer: PairAnswer;
  announce: (message: string) => void;
  onChange: (update: AnswerUpdate<PairAnswer>, step: AnswerStep) => void;
}

/** What can be done with a pair, by key, mouse or touch, and where the focus goes then. */
export function usePairActions({ answer, announce, onChange }: Options) {
  const pair = useRef<HTMLDivElement>(null);
  const [isMarking, setMarking] = useState(false);
  const commentField = useOpenField(answer.comment !== "");
  const focusPair = () => pair.current?.focus({ preventScroll: true });

  function choose(choice: Choice): void {
    onChange((latest) => ({ ...latest, choice }), { kind: "chose", old: answer.choice, new: choice });
    announce(`${choiceLabel(choice)}.`);
  }

  /** A sentence that is marked already loses its mark. */
  function mark(sentence: DecidingSentence | null): void {
    const because = isSameSentence(sentence, answer.because) ? null : sentence;
    onChange((latest) => ({ ...latest, because }), { kind: "because", old: answer.because, new: because });
    announce(because ? "Sentence marked." : "No sentence is marked.");
    leaveMarking();
  }

  function leaveMarking(): void {
    setMarking(false);
    focusPair();
  }

  function startMarking(): void {
    flushSync(() => setMarking(true));
    moveAmongEvidence(pair.current?.querySelector<HTMLElement>("[data-columns]") ?? null, 1);
  }

  function comment(text: string): void {
    onChange((latest) => ({ ...latest, comment: text }), { kind: "comment", old: answer.comment, new: text, isContinued: true });
  }

  return {
    pair,
    focusPair,
    choose,
    mark,
    isMarking,
    leaveMarking,
    toggleMarking: () => (isMarking ? leaveMarking() : startMarking()),
    comment,
    commentField,
  };
}

export type PairActions = ReturnType<typeof usePairActions>;
