import { useLayoutEffect, useRef, type RefObject } from "react";
import type { Id } from "@/api/contract";

export interface CardFocus {
  /** The candidate that has focus, or had it last. */
  current: () => Id | null;
  focus: (id: Id, options?: FocusOptions) => void;
  /** Called before the order changes: moving a card in the page would drop its focus. */
  hold: () => void;
}

export function useCardFocus(list: RefObject<HTMLElement | null>): CardFocus {
  const held = useRef<{ id: Id; part: string } | null>(null);
  const last = useRef<Id | null>(null);

  function find(id: Id, part = "card"): HTMLElement | undefined {
    return [...(list.current?.querySelectorAll<HTMLElement>("[data-part]") ?? [])].find(
      (element) =>
        element.dataset.part === part &&
        element.closest<HTMLElement>("[data-candidate]")?.dataset.candidate === id,
    );
  }

  function current(): Id | null {
    const id = document.activeElement?.closest<HTMLElement>("[data-candidate]")?.dataset.candidate;
    if (id) last.current = id;
    return id ?? last.current;
  }

  function focus(id: Id, options?: FocusOptions): void {
    last.current = id;
    find(id)?.focus(options);
  }

  function hold(): void {
    const active = document.activeElement?.closest<HTMLElement>("[data-part]");
    const id = current();
    if (id && active) held.current = { id, part: active.dataset.part ?? "card" };
  }

  useLayoutEffect(() => {
    if (!held.current) return;
    const { id, part } = held.current;
    held.current = null;
    (find(id, part) ?? find(id))?.focus();
  });
  return { current, focus, hold };
}
