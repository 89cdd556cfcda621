import { useEffect, useEffectEvent, useRef } from "react";

/** As long as this after the last key, and while a modifier or a button is held, the user is still at it. */
const PAUSE_MS = 1000;
const CHECK_INTERVAL_MS = 100;
const INPUT_EVENTS = ["keydown", "keyup", "pointerdown", "pointerup", "pointercancel", "blur"] as const;

/**
 * Calls back once input pauses. A dialog that opened by itself before would take the rest of a key
 * combination, a word or a drag, and the change that it was meant for would not be made.
 */
export function useInputPause(isWaiting: boolean, onPause: () => void): void {
  const last = useRef({ at: -Infinity, isHeld: false });
  const paused = useEffectEvent(onPause);
  useEffect(() => {
    const recordInput = (event: Event) => (last.current = { at: performance.now(), isHeld: isHolding(event) });
    for (const kind of INPUT_EVENTS) window.addEventListener(kind, recordInput, true);
    return () => {
      for (const kind of INPUT_EVENTS) window.removeEventListener(kind, recordInput, true);
    };
  }, []);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const check = () => {
      const { at, isHeld } = last.current;
      if (!isHeld && performance.now() - at >= PAUSE_MS) paused();
    };
    check();
    const timer = setInterval(check, CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
}

function isHolding(event: Event): boolean {
  if (!(event instanceof MouseEvent || event instanceof KeyboardEvent)) return false;
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  return hasModifier || (event instanceof MouseEvent && event.buttons > 0);
}
