import { useCallback, useEffect, useState } from "react";
import { useNavigation, useSearchParams } from "react-router";

/** Browsers refuse an address that changes many times a second, as with a held arrow key. */
const PAUSE_MS = 250;

/** What is selected, in the picture and in the table alike; the address follows. */
export function useSelection(focus: string): [string, (id: string) => void] {
  const [params, setParams] = useSearchParams();
  const [selected, setSelected] = useState(params.get("sel") ?? focus);
  const isLeaving = useNavigation().state !== "idle";
  const written = params.get("sel") ?? focus;
  useEffect(() => {
    // Whoever is on her way to another page must not be held up, nor her new address be changed.
    if (written === selected || isLeaving) return;
    const here = window.location.pathname;
    const timer = setTimeout(() => {
      if (window.location.pathname !== here) return;
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (selected === focus) next.delete("sel");
          else next.set("sel", selected);
          return next;
        },
        { replace: true, preventScrollReset: true },
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [selected, written, isLeaving, focus, setParams]);
  return [selected, useCallback((id: string) => setSelected(id), [])];
}
