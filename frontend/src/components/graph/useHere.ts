import { useLocation } from "react-router";

/**
 * The query of this page as its address has it now. What is selected is written there without the
 * router (neighbourhood/useAddress), so a change that began at the router's own would drop it.
 */
export function useHere(): () => URLSearchParams {
  const { pathname, search } = useLocation();
  return () => new URLSearchParams(window.location.pathname === pathname ? window.location.search : search);
}
