import { useEffect, useRef } from "react";

/**
 * When no dialog is over the page any more, focus goes back to what had it in the page: what
 * opened the last dialog (the line at the foot of the page) is gone by then.
 */
export function useRestoreFocus(isOver: boolean): void {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const rememberFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest("main")) last.current = target;
    };
    document.addEventListener("focusin", rememberFocus);
    return () => document.removeEventListener("focusin", rememberFocus);
  }, []);
  useEffect(() => {
    if (isOver) return;
    // After the dialog has tried by itself, which it does with the next frame.
    const frame = requestAnimationFrame(() => {
      const lost = document.activeElement === document.body;
      if (lost && last.current instanceof HTMLElement && last.current.isConnected) last.current.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [isOver]);
}
