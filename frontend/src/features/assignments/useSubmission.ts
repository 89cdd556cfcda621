import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Assignment } from "@/api/contract";
import type { AnswerUpdate, StudyKind } from "@/domains/studies/studyKind";
import type { AnswerControl } from "./useAnswer";

interface SubmissionOptions {
  kind: StudyKind;
  assignment: Assignment;
  control: AnswerControl;
  isClosed: boolean;
  onDone: () => void;
}

export type PrimaryAction = "next" | "keep" | "agree" | "submit";

/** For this long after a question appears, a second key, click or tap still belongs to the one before. */
export const INPUT_GUARD_MS = 500;

/** The ways to finish a question. Each happens once, however often its button is pressed. */
export function useSubmission({ kind, assignment, control, isClosed, onDone }: SubmissionOptions) {
  const isDone = useRef(false);
  const [openedAt] = useState(() => performance.now());
  const { response } = assignment;
  const info = kind.submission(assignment.item, control.answer);
  const isKept = control.isSubmitted && response.submitted?.outcome === info.outcome;
  const action: PrimaryAction = isClosed ? "next" : isKept ? "keep" : info.isAgreement ? "agree" : "submit";
  const label = isClosed ? "Next question" : isKept ? "Keep and go on" : info.label;

  function once(finish: () => Promise<void> | null): void {
    if (isDone.current || performance.now() - openedAt < INPUT_GUARD_MS) return;
    isDone.current = true;
    control.finish();
    const stored = finish();
    if (stored) void stored.then(onDone);
    else onDone();
  }

  const isReady = isClosed || !info.isIncomplete;

  function primary(): void {
    if (!isReady) return;
    // A reopened answer that was changed back is submitted again, so that it is no draft any more.
    const isUnchanged = isClosed || (isKept && response.status === "submitted");
    once(() => (isUnchanged ? null : control.submit(info.outcome, info.step)));
  }

  const { alternative: second } = kind;
  const alternative = useAlternative((update) => {
    if (second) once(() => control.submit(second.outcome, second.step, update));
  });
  return {
    action,
    label,
    isReady,
    primary,
    skip: () => once(() => control.submit("skipped", "skipped")),
    // The next question opens first: once the declaration is stored, this one is gone.
    declareConflict: (reason: string) =>
      once(() => {
        void control.declareConflict(reason);
        return null;
      }),
    alternative,
  };
}

/**
 * The dialog of the kind's second way to answer. It is closed before the next question opens: while
 * it is open the page behind it is inert, and no part of the next question could take the focus.
 */
function useAlternative(onSubmit: (update: AnswerUpdate) => void) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<{ update: AnswerUpdate } | null>(null);
  const submit = useEffectEvent(onSubmit);
  useEffect(() => {
    if (chosen && !isOpen) submit(chosen.update);
  }, [chosen, isOpen]);
  return {
    isOpen,
    setOpen,
    choose: (update: AnswerUpdate) => {
      setChosen({ update });
      setOpen(false);
    },
  };
}

export type Submission = ReturnType<typeof useSubmission>;
