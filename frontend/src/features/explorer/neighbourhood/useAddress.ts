import { useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "react-router";

export type Change = (now: URLSearchParams) => URLSearchParams;

export interface Address {
  params: URLSearchParams;
  write: (change: Change) => void;
  /** The same without the router, which would give up a navigation that has begun. */
  note: (change: Change) => void;
}

/**
 * The address of the picture, which what is open and what is selected both write. Each change is made
 * to what was written last, although the page may not have been drawn since: the router hands out
 * what was drawn last, and the later of two changes would undo the earlier.
 */
export function useAddress(): Address {
  const [params, setParams] = useSearchParams();
  const latest = useRef(params);
  useEffect(() => {
    latest.current = params;
  }, [params]);
  const write = useCallback(
    (change: Change) => {
      latest.current = change(new URLSearchParams(latest.current));
      setParams(latest.current, { replace: true, preventScrollReset: true });
    },
    [setParams],
  );
  const note = useCallback((change: Change) => {
    latest.current = change(new URLSearchParams(latest.current));
    window.history.replaceState(window.history.state, "", `?${latest.current}`);
  }, []);
  return { params, write, note };
}
