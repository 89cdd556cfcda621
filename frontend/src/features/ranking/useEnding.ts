import { useRef, useState } from "react";
import type { Response, UnsureReason } from "@/api/contract";
import type { AnswerControl } from "./useAnswer";

interface Parts {
  control: AnswerControl;
  /** Whether the order is the model's. */
  agrees: boolean;
  isClosed: boolean;
  shown: Response;
  onDone: () => void;
}

/** What the primary button does, and says. */
export type Way = "next" | "keep" | "agree" | "submit";

const LABELS: Record<Way, string> = {
  next: "Next question",
  keep: "Keep and go on",
  agree: "I agree with this order",
  submit: "Submit my order",
};

function wayOf({ control, agrees, isClosed, shown }: Parts): Way {
  if (isClosed) return "next";
  if (control.isAsOpened && (shown.state === "confirmed" || shown.state === "changed")) return "keep";
  return agrees ? "agree" : "submit";
}

/** So long after a question appears, a second key, click or tap is still meant for the one before. */
export const ARRIVAL_MS = 500;

/** The ways to be done with a question. Each happens once, however often its button is pressed. */
export function useEnding(parts: Parts) {
  const { control, onDone } = parts;
  const done = useRef(false);
  const [arrived] = useState(() => performance.now());
  const [asking, setAsking] = useState(false);
  const way = wayOf(parts);

  function once(finish: () => Promise<void> | null): void {
    if (done.current || performance.now() - arrived < ARRIVAL_MS) return;
    done.current = true;
    const kept = finish();
    if (kept) void kept.then(onDone);
    else onDone();
  }

  return {
    asking,
    setAsking,
    way,
    label: LABELS[way],
    primary: () => once(() => (way === "next" || way === "keep" ? null : control.finish(way))),
    skip: () => once(() => control.finish("skip")),
    notSure: (reason: UnsureReason) => once(() => control.finish("not_sure", reason)),
  };
}

export type Ending = ReturnType<typeof useEnding>;
