import { useCallback, useEffect, useRef, useState } from "react";
import { request, Problem, NetworkError } from "@/api/client";
import type { Id } from "@/api/contract";
import type { ActiveTimer } from "@/lib/activeTime";

const PRESENCE_INTERVAL_MS = 30_000;
const INPUT_EVENTS = ["keydown", "pointerdown", "pointermove", "wheel", "touchmove"] as const;

const PRESS_EVENTS: readonly string[] = ["keydown", "pointerdown"];

/** The study has a newer text: the question that was begun before is finished first, if there is one. */
interface Unread {
  begun: Id | null | undefined;
}

/**
 * Passes input to the timer, and reports to the dashboard that the expert is active in the batch.
 * `mustRead`: the study has a newer text, which comes before this question; `checkBetween` finds out
 * once a question is done.
 */
export function usePresence(batchId: Id | null, question: Id | undefined, active: ActiveTimer) {
  const [unread, setUnread] = useState<Unread | null>(null);
  const open = useRef(question);
  const isBetween = useRef(false);
  useEffect(() => {
    open.current = question;
  }, [question]);
  const check = useCallback(() => {
    const receive = (isNeeded: boolean) => {
      if (!isNeeded) return;
      const begun = isBetween.current ? null : open.current;
      setUnread((known) => (begun === null ? { begun } : (known ?? { begun })));
    };
    if (batchId !== null) void sendPresence(batchId).then(receive);
  }, [batchId]);
  useEffect(() => {
    let lastSentAt = -Infinity;
    const input = ({ type }: Event) => {
      active.recordInput();
      // A dialog may have text by now that is stored nowhere.
      if (PRESS_EVENTS.includes(type)) isBetween.current = false;
      if (performance.now() - lastSentAt < PRESENCE_INTERVAL_MS) return;
      lastSentAt = performance.now();
      check();
    };
    const visibility = () => (document.visibilityState === "visible" ? active.recordInput() : active.pause());
    const options = { passive: true, capture: true };
    for (const kind of INPUT_EVENTS) window.addEventListener(kind, input, options);
    document.addEventListener("visibilitychange", visibility);
    return () => {
      for (const kind of INPUT_EVENTS) window.removeEventListener(kind, input, options);
      document.removeEventListener("visibilitychange", visibility);
    };
  }, [check, active]);
  const checkBetween = useCallback(() => {
    isBetween.current = true;
    check();
  }, [check]);
  return { mustRead: unread !== null && unread.begun !== question, checkBetween };
}

/** Whether something must be read first. If it cannot be sent, no answer is lost. */
async function sendPresence(batchId: Id): Promise<boolean> {
  try {
    await request(`/api/v1/batches/${batchId}/presence`, { method: "POST" });
    return false;
  } catch (error) {
    if (error instanceof Problem && error.code === "consent_needed") return true;
    if (!(error instanceof NetworkError) && !(error instanceof Problem)) throw error;
    return false;
  }
}
