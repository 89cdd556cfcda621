import { useCallback, useEffect, useState } from "react";
import { useSearchParams } from "react-router";

/** Browsers refuse an address that changes many times a second, as with a held arrow key. */
const PAUSE_MS = 250;

/** What is selected, in the picture and in the table alike; the address follows. */
export function useSelection(focus: string): [string, (id: string) => void] {
  const [params, setParams] = useSearchParams();
  const [selected, setSelected] = useState(params.get("sel") ?? focus);
  const written = params.get("sel") ?? focus;
  useEffect(() => {
    if (written === selected) return;
    const timer = setTimeout(() => {
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
  }, [selected, written, focus, setParams]);
  return [selected, useCallback((id: string) => setSelected(id), [])];
}
