import { useEffect, useRef } from "react";
import { useMediaQuery } from "@/lib/useMediaQuery";

/** Where the details of a claim stand beside the text. */
const WIDE_QUERY = "(min-width: 1024px)";

/** Where the details stand below the text: brings a claim that is chosen there into view, and the reader back. */
export function useClaimFocus(chosen: number | undefined, onChoose: (number: number) => void) {
  const isWide = useMediaQuery(WIDE_QUERY);
  const columns = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const awaited = useRef<number>(null);
  const showDetails = () => bring(heading.current, "start");
  useEffect(() => {
    if (chosen === undefined || awaited.current !== chosen) return;
    awaited.current = null;
    bring(heading.current, "start");
  }, [chosen]);
  return {
    columns,
    heading,
    showDetails,
    showText: () => bring(columns.current?.querySelector<HTMLElement>('a[aria-current="true"]'), "center"),
    chooseInText: (number: number) => {
      if (number === chosen) {
        if (!isWide) showDetails();
        return;
      }
      awaited.current = isWide ? null : number;
      onChoose(number);
    },
  };
}

function bring(element: HTMLElement | null | undefined, block: ScrollLogicalPosition): void {
  element?.focus({ preventScroll: true });
  const isStill = window.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
  element?.scrollIntoView?.({ block, behavior: isStill ? "auto" : "smooth" });
}
