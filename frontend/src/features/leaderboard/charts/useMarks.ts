import { useRef, useState, type KeyboardEvent } from "react";

/** Steps of the arrow keys through the marks of a chart. */
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The marks of a chart as one stop of the Tab key; arrow keys go from mark to mark. */
export function useMarks(count: number) {
  const [current, setCurrent] = useState<number | null>(null);
  const marks = useRef<(SVGGElement | null)[]>([]);
  const focus = (at: number) => marks.current[(at + count) % count]?.focus();
  const onKeyDown = (at: number, event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const target = event.key === "Home" ? 0 : event.key === "End" ? count - 1 : step === undefined ? null : at + step;
    if (target === null) return;
    event.preventDefault();
    focus(target);
  };
  const stop = current === null || current >= count ? 0 : current;
  const markProps = (at: number, label: string) => ({
    ref: (element: SVGGElement | null) => {
      marks.current[at] = element;
    },
    role: "img",
    "aria-label": label,
    tabIndex: at === stop ? 0 : -1,
    onFocus: () => setCurrent(at),
    onPointerEnter: () => setCurrent(at),
    onKeyDown: (event: KeyboardEvent) => onKeyDown(at, event),
  });
  return { current, markProps };
}

export type MarkProps = ReturnType<ReturnType<typeof useMarks>["markProps"]>;
