import { useLayoutEffect, useRef, type RefObject } from "react";

const MOVE_MS = 160;

/** A card that moves is seen to move: each glides from where it was, unless motion is unwanted. */
export function useMoveAnimation(list: RefObject<HTMLElement | null>, still: boolean): void {
  const tops = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const cards = [...(list.current?.querySelectorAll<HTMLElement>("[data-flip]") ?? [])];
    const prefersReducedMotion = still || window.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
    for (const card of cards) {
      const before = tops.current.get(card.dataset.flip ?? "");
      const moved = before === undefined ? 0 : before - card.offsetTop;
      if (moved && !prefersReducedMotion) animateMove(card, moved);
    }
    tops.current = new Map(cards.map((card) => [card.dataset.flip ?? "", card.offsetTop]));
  });
}

function animateMove(card: HTMLElement, from: number): void {
  card.animate?.([{ transform: `translateY(${from}px)` }, { transform: "none" }], { duration: MOVE_MS, easing: "ease-out" });
}
