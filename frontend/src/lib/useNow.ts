import { useCallback, useSyncExternalStore } from "react";

/** The time in steps, updated at each of them while `isTicking`. */
export function useNow(isTicking: boolean, stepMs = 1000): number {
  const subscribe = useCallback(
    (onTick: () => void) => {
      const timer = isTicking ? setInterval(onTick, stepMs) : undefined;
      return () => clearInterval(timer);
    },
    [isTicking, stepMs],
  );
  return stepMs * useSyncExternalStore(subscribe, () => Math.floor(Date.now() / stepMs));
}
