import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Action, Assignment, EventKind, Id, Json, Response, ResponseEvent } from "@/api/contract";
import { useRanking, type Change } from "@/components/ranking/useRanking";
import type { ActiveClock } from "@/lib/clock";
import { type Answer, sameAnswer, storable, type SyncEngine } from "@/lib/offline";
import { uuid } from "@/lib/uuid";

export const INTERFACE = "rank-1";

/** A question that was on the screen for less was passed, not looked at. */
const GLANCE_MS = 1000;

interface Parts {
  assignment: Assignment;
  batch: Id;
  /** The server's version that her changes start from. */
  version: number;
  /** Nothing is written to a closed study, not even that it was looked at. */
  isClosed: boolean;
  engine: SyncEngine;
  active: ActiveClock;
}

function answerOf({ ranking, confidence, reasons, comment, unsure_reason }: Response): Answer {
  return { ranking, confidence, reasons, comment, unsure_reason };
}

function eventOf(kind: EventKind, old: Json, next: Json): ResponseEvent {
  return { id: uuid(), kind, old, new: next, at: new Date().toISOString() };
}

/** As it will be kept: what came back altered would look like somebody else's. */
function storableAnswer(part: Partial<Answer>): Partial<Answer> {
  return part.comment === undefined ? part : { ...part, comment: storable(part.comment) };
}

/** Her answer to one question while it is open: every change is kept at once and sent soon. */
export function useAnswer({ assignment, batch, version, isClosed, engine, active }: Parts) {
  const start = useRef(assignment.response).current;
  const [answer, setAnswer] = useState<Answer>(() => answerOf(start));
  const latest = useRef(answer);
  const base = useRef(version);
  base.current = Math.max(base.current, version);
  const shown = useRef(assignment.response);
  shown.current = assignment.response;
  const events = useRef<ResponseEvent[]>([]);
  const adding = useRef(0);
  const reopened = useRef(start.submitted === null || start.state === "draft");

  const write = useCallback(
    async (action: Action): Promise<void> => {
      if (isClosed) return;
      const told = events.current;
      events.current = [];
      adding.current += 1;
      try {
        await engine.add({
          id: uuid(),
          assignment: assignment.id,
          batch,
          queuedAt: new Date().toISOString(),
          write: {
            ...latest.current,
            version: base.current,
            action,
            active_ms: active.take(),
            events: told,
            interface: INTERFACE,
          },
        });
      } finally {
        adding.current -= 1;
      }
    },
    [assignment.id, batch, isClosed, engine, active],
  );

  /** Looking is recorded too, without making an answer of it. */
  const look = useCallback(() => {
    if (isClosed) return;
    const told = events.current;
    events.current = [];
    const write = { active_ms: active.take(), events: told, interface: INTERFACE };
    const { id } = assignment;
    void engine.look({ id: uuid(), assignment: id, batch, queuedAt: new Date().toISOString(), write }, shown.current);
  }, [assignment, batch, isClosed, engine, active]);

  const note = useCallback((kind: EventKind, old: Json, next: Json) => {
    events.current.push(eventOf(kind, old, next));
  }, []);

  const change = useCallback(
    (part: Partial<Answer>, kind: EventKind, old: Json, next: Json) => {
      if (!reopened.current) note("reopened", start.state, "draft");
      reopened.current = true;
      latest.current = { ...latest.current, ...part };
      setAnswer(latest.current);
      note(kind, old, next);
      void write("save");
    },
    [note, write, start.state],
  );

  const onRanked = useCallback(
    ({ kind, old, new: next, ranking }: Change) => change({ ranking }, kind, old, next),
    [change],
  );
  const ranking = useRanking(start.ranking, onRanked);

  const leave = useEffectEvent(() => {
    const looked = active.take();
    active.giveBack(looked);
    if (events.current.some((event) => event.kind !== "opened") || looked >= GLANCE_MS) look();
  });
  useEffect(() => {
    active.take();
    if (document.visibilityState !== "hidden") active.input();
    events.current.push(eventOf("opened", null, null));
    // A page that is hidden may never be seen again.
    const onHidden = () => document.visibilityState === "hidden" && leave();
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      document.removeEventListener("visibilitychange", onHidden);
      leave();
    };
  }, [active]);

  return {
    answer,
    ranking,
    /** True while nothing differs from what was shown when the question was opened. */
    isAsOpened: sameAnswer(answer, answerOf(start)),
    isFollowing: useCallback((other: Answer) => adding.current > 0 || sameAnswer(latest.current, other), []),
    set: <Part extends "confidence" | "reasons" | "comment">(part: Part, value: Answer[Part]) =>
      change(storableAnswer({ [part]: value }), part, latest.current[part], value),
    looked: (kind: "link_opened" | "definition_opened", what: Json) => {
      note(kind, null, what);
      look();
    },
    finish: (action: Exclude<Action, "save">, unsure: Answer["unsure_reason"] = "") => {
      latest.current = { ...latest.current, unsure_reason: unsure };
      const kind = { agree: "agreed", submit: "submitted", not_sure: "not_sure", skip: "skipped" } as const;
      note(kind[action], start.state, { ranking: latest.current.ranking, unsure_reason: unsure });
      return write(action);
    },
  };
}

export type AnswerControl = ReturnType<typeof useAnswer>;
