import { useLayoutEffect, useRef, type RefObject } from "react";
import type { Id } from "@/api/contract";

export type CardFocus = ReturnType<typeof useCardFocus>;

export function useCardFocus(list: RefObject<HTMLElement | null>) {
  const pendingFocus = useRef<{ id: Id; part: string } | null>(null);
  const last = useRef<Id | null>(null);

  function find(id: Id, part = "card"): HTMLElement | undefined {
    return [...(list.current?.querySelectorAll<HTMLElement>("[data-part]") ?? [])].find(
      (element) => element.dataset.part === part && element.closest<HTMLElement>("[data-candidate]")?.dataset.candidate === id,
    );
  }

  /** The candidate that has focus, or had it last. */
  function current(): Id | null {
    const id = document.activeElement?.closest<HTMLElement>("[data-candidate]")?.dataset.candidate;
    if (id) last.current = id;
    return id ?? last.current;
  }

  function focus(id: Id, options?: FocusOptions): void {
    last.current = id;
    find(id)?.focus(options);
  }

  /** Called before the order changes: moving a card in the page would drop its focus. */
  function keepFocus(): void {
    const active = document.activeElement?.closest<HTMLElement>("[data-part]");
    const id = current();
    if (id && active) pendingFocus.current = { id, part: active.dataset.part ?? "card" };
  }

  useLayoutEffect(() => {
    if (!pendingFocus.current) return;
    const { id, part } = pendingFocus.current;
    pendingFocus.current = null;
    (find(id, part) ?? find(id))?.focus();
  });
  return { current, focus, keepFocus };
}
