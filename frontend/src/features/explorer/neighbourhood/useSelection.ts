import { useContext, useEffect, useRef, useState } from "react";
import { SharedSelection, type Selection } from "../selection";
import type { Address } from "./useAddress";

/** Browsers refuse an address that changes many times a second, as with a held arrow key. */
const PAUSE_MS = 250;

/** What is selected, in the picture and in the table alike; the address follows. */
export function useSelection(focus: string, { params, note }: Address): Selection {
  const own = useState(params.get("sel") ?? focus);
  const [selected, select] = useContext(SharedSelection) ?? own;
  const written = useRef(selected);
  useEffect(() => {
    if (written.current === selected) return;
    const here = window.location.pathname;
    const timer = setTimeout(() => {
      if (window.location.pathname !== here) return; // she has gone on, and this address is another's
      written.current = selected;
      note((next) => {
        if (selected === focus) next.delete("sel");
        else next.set("sel", selected);
        return next;
      });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [selected, focus, note]);
  return [selected, select];
}
