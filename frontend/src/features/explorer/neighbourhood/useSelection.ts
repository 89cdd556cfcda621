import { useCallback, useEffect, useState } from "react";
import { useNavigation } from "react-router";
import type { Address } from "./useAddress";

/** Browsers refuse an address that changes many times a second, as with a held arrow key. */
const PAUSE_MS = 250;

/** What is selected, in the picture and in the table alike; the address follows. */
export function useSelection(focus: string, { params, write }: Address): [string, (id: string) => void] {
  const [selected, setSelected] = useState(params.get("sel") ?? focus);
  const isLeaving = useNavigation().state !== "idle";
  const written = params.get("sel") ?? focus;
  useEffect(() => {
    // Whoever is on her way to another page must not be held up, nor her new address be changed.
    if (written === selected || isLeaving) return;
    const here = window.location.pathname;
    const timer = setTimeout(() => {
      if (window.location.pathname !== here) return;
      write((next) => {
        if (selected === focus) next.delete("sel");
        else next.set("sel", selected);
        return next;
      });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [selected, written, isLeaving, focus, write]);
  return [selected, useCallback((id: string) => setSelected(id), [])];
}
