import { useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "react-router";

type UrlChange = (now: URLSearchParams) => URLSearchParams;

export type UrlState = ReturnType<typeof useUrlState>;

/**
 * The address of the picture, which what is open and what is selected both write. Each change is made
 * to what was written last, although the page may not have been drawn since: the router hands out
 * what was drawn last, and the later of two changes would undo the earlier.
 */
export function useUrlState() {
  const [params, setParams] = useSearchParams();
  const latest = useRef(params);
  useEffect(() => {
    latest.current = params;
  }, [params]);
  const push = useCallback(
    (change: UrlChange) => {
      latest.current = change(new URLSearchParams(latest.current));
      setParams(latest.current, { replace: true, preventScrollReset: true });
    },
    [setParams],
  );
  /** The same without the router, which would give up a navigation that has begun. */
  const replace = useCallback((change: UrlChange) => {
    latest.current = change(new URLSearchParams(latest.current));
    window.history.replaceState(window.history.state, "", `?${latest.current}`);
  }, []);
  return { params, push, replace };
}
