import { useCallback, useEffect, useLayoutEffect, useState } from "react";
import type { Assignment, Id, Json, Payload } from "@/api/contract";
import type { AnswerStep, AnswerUpdate, StudyKind } from "@/domains/studies/studyKind";
import type { ActiveTimer } from "@/lib/activeTime";
import type { SyncEngine } from "@/lib/offline";
import { ResponseRecorder } from "./ResponseRecorder";

interface AnswerOptions {
  assignment: Assignment;
  batch: Id;
  kind: StudyKind;
  version: number;
  isClosed: boolean;
  engine: SyncEngine;
  timer: ActiveTimer;
  /** The version of the guidelines that the page shows, 0 without any. */
  guidelines: number;
}

/** The answer to one question while it is open: every change is stored at once and sent soon. */
export function useAnswer(options: AnswerOptions) {
  const { kind, assignment } = options;
  const recorder = useResponseRecorder(options);
  const [answer, setAnswer] = useState<Payload>(recorder.latest);
  const { response } = assignment;
  const isInitial = kind.isSame(answer, recorder.start.payload);
  return {
    answer,
    start: recorder.start,
    /** Whether the answer stands as it was submitted: nothing has to be submitted again. */
    isSubmitted:
      response.status === "submitted"
        ? kind.isSame(answer, response.payload)
        : response.status === "draft" && recorder.start.status === "submitted" && isInitial,
    isUpToDateWith: useCallback((other: Payload) => recorder.isUpToDateWith(other), [recorder]),
    change: useCallback((update: AnswerUpdate, step: AnswerStep) => setAnswer(recorder.change(update, step)), [recorder]),
    recordActivity: useCallback(
      (activity: string, detail: Json) => {
        recorder.recordStep({ kind: activity, old: null, new: detail });
        recorder.flushActivity();
      },
      [recorder],
    ),
    finish: () => recorder.finish(),
    declareConflict: (reason: string) => recorder.declareConflict(reason),
    submit: (outcome: string, step: string, update?: AnswerUpdate) => recorder.submit(outcome, step, update),
  };
}

function useResponseRecorder({ assignment, batch, kind, version, isClosed, engine, timer, guidelines }: AnswerOptions): ResponseRecorder {
  const { response } = assignment;
  const [recorder] = useState(
    () => new ResponseRecorder({ assignment: assignment.id, batch, kind, engine, timer, guidelines }, { version, response, isClosed }),
  );
  useLayoutEffect(() => recorder.setServerResponse({ version, response, isClosed }), [recorder, version, response, isClosed]);
  useEffect(() => {
    recorder.recordOpened();
    const onClosing = () => recorder.flushOnLeave(true);
    const onHidden = () => document.visibilityState === "hidden" && onClosing();
    document.addEventListener("visibilitychange", onHidden);
    window.addEventListener("pagehide", onClosing);
    return () => {
      document.removeEventListener("visibilitychange", onHidden);
      window.removeEventListener("pagehide", onClosing);
      recorder.flushOnLeave(false);
    };
  }, [recorder]);
  return recorder;
}

export type AnswerControl = ReturnType<typeof useAnswer>;
