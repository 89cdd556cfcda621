import { useLocation, useSearchParams } from "react-router";

/**
 * The query of this page as its address has it now. What is selected is written there without the
 * router (neighbourhood/useUrlState), so a change that began at the router's own would drop it.
 */
export function useCurrentSearchParams(): () => URLSearchParams {
  const { pathname, search } = useLocation();
  return () => new URLSearchParams(window.location.pathname === pathname ? window.location.search : search);
}

export type UrlChanges = Record<string, string | string[] | null>;
/** A function reads the address: the page may not have been drawn since the last change. */
export type UrlUpdate = UrlChanges | ((current: URLSearchParams) => UrlChanges);

/** The query of this page, and a function that replaces some of it in place; null or [] removes a name. */
export function useUrlParams(): [URLSearchParams, (update: UrlUpdate) => void] {
  const [params, setParams] = useSearchParams();
  const current = useCurrentSearchParams();
  const change = (update: UrlUpdate) => {
    const next = current();
    const changes = typeof update === "function" ? update(next) : update;
    for (const [name, value] of Object.entries(changes)) {
      next.delete(name);
      for (const one of [value].flat()) if (one) next.append(name, one);
    }
    setParams(next, { replace: true, preventScrollReset: true });
  };
  return [params, change];
}
