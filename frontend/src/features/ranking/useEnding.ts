import { useRef, useState } from "react";
import type { Response, UnsureReason } from "@/api/contract";
import type { AnswerControl } from "./useAnswer";

interface Parts {
  control: AnswerControl;
  /** Whether the order is the model's. */
  agrees: boolean;
  shown: Response;
  onDone: () => void;
}

/** The ways to be done with a question. Each happens once, however often its button is pressed. */
export function useEnding({ control, agrees, shown, onDone }: Parts) {
  const done = useRef(false);
  const [asking, setAsking] = useState(false);
  const keeps = control.isAsOpened && (shown.state === "confirmed" || shown.state === "changed");

  function once(finish: () => Promise<void> | null): void {
    if (done.current) return;
    done.current = true;
    const kept = finish();
    if (kept) void kept.then(onDone);
    else onDone();
  }

  return {
    asking,
    setAsking,
    label: keeps ? "Keep and go on" : agrees ? "I agree with this order" : "Submit my order",
    primary: () => once(() => (keeps ? null : control.finish(agrees ? "agree" : "submit"))),
    skip: () => once(() => control.finish("skip")),
    notSure: (reason: UnsureReason) => once(() => control.finish("not_sure", reason)),
  };
}

export type Ending = ReturnType<typeof useEnding>;
