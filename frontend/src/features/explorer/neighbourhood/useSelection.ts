import { useContext, useEffect, useRef, useState } from "react";
import { SharedSelection, type Selection } from "../selection";
import type { UrlState } from "./useUrlState";

/** Browsers refuse an address that changes many times a second, as with a held arrow key. */
const URL_DELAY_MS = 250;

/** What is selected, in the picture and in the table alike; the address follows. */
export function useSelection(focus: string, { params, replace }: UrlState): Selection {
  const own = useState(params.get("sel") ?? focus);
  const [selected, select] = useContext(SharedSelection) ?? own;
  const written = useRef(selected);
  useEffect(() => {
    if (written.current === selected) return;
    const here = window.location.pathname;
    const timer = setTimeout(() => {
      if (window.location.pathname !== here) return; // another page is open by now
      written.current = selected;
      replace((next) => {
        if (selected === focus) next.delete("sel");
        else next.set("sel", selected);
        return next;
      });
    }, URL_DELAY_MS);
    return () => clearTimeout(timer);
  }, [selected, focus, replace]);
  return [selected, select];
}
