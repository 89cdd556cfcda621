import { useCallback, useEffect, useLayoutEffect, useState } from "react";
import type { Action, Assignment, EventKind, Id, Json } from "@/api/contract";
import { useRanking, type Change } from "@/components/ranking/useRanking";
import type { ActiveClock } from "@/lib/clock";
import { type Answer, sameAnswer, storable, type SyncEngine } from "@/lib/offline";
import { answerOf, AnswerRecord } from "./AnswerRecord";

interface Parts {
  assignment: Assignment;
  batch: Id;
  version: number;
  isClosed: boolean;
  engine: SyncEngine;
  active: ActiveClock;
}

/** As it will be kept: what came back altered would look like somebody else's. */
function storableAnswer(part: Partial<Answer>): Partial<Answer> {
  return part.comment === undefined ? part : { ...part, comment: storable(part.comment) };
}

/** Her answer to one question while it is open: every change is kept at once and sent soon. */
export function useAnswer(parts: Parts) {
  const record = useRecord(parts);
  const [answer, setAnswer] = useState<Answer>(record.latest);
  const change = useCallback(
    (part: Partial<Answer>, kind: EventKind, old: Json, next: Json) => setAnswer(record.change(part, kind, old, next)),
    [record],
  );
  const onRanked = useCallback(
    ({ kind, old, new: next, ranking }: Change) => change({ ranking }, kind, old, next),
    [change],
  );
  const ranking = useRanking(record.start.ranking, onRanked);

  return {
    answer,
    ranking,
    /** True while nothing differs from what was shown when the question was opened. */
    isAsOpened: sameAnswer(answer, answerOf(record.start)),
    isFollowing: useCallback((other: Answer) => record.isFollowing(other), [record]),
    set: <Part extends "confidence" | "reasons" | "comment">(part: Part, value: Answer[Part]) =>
      change(storableAnswer({ [part]: value }), part, record.latest[part], value),
    looked: (kind: "link_opened" | "definition_opened", what: Json) => {
      record.note(kind, null, what);
      record.look();
    },
    finish: (action: Exclude<Action, "save">, unsure: Answer["unsure_reason"] = "") => record.finish(action, unsure),
  };
}

function useRecord({ assignment, batch, version, isClosed, engine, active }: Parts): AnswerRecord {
  const shown = assignment.response;
  const [record] = useState(
    () => new AnswerRecord({ assignment: assignment.id, batch, engine, active }, { version, shown, isClosed }),
  );
  useLayoutEffect(() => record.know({ version, shown, isClosed }), [record, version, shown, isClosed]);
  useEffect(() => {
    record.open();
    const onClosing = () => record.leave(true);
    const onHidden = () => document.visibilityState === "hidden" && onClosing();
    document.addEventListener("visibilitychange", onHidden);
    window.addEventListener("pagehide", onClosing);
    return () => {
      document.removeEventListener("visibilitychange", onHidden);
      window.removeEventListener("pagehide", onClosing);
      record.leave(false);
    };
  }, [record]);
  return record;
}

export type AnswerControl = ReturnType<typeof useAnswer>;
