import { useEffect, useRef } from "react";

/** Calls the function each time that the condition becomes true. */
export function useWhenTrue(condition: boolean, act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (condition) latest.current();
  }, [condition]);
}
