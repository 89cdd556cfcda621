import type { Id } from "@/api/contract";

/** Which candidate has the focus, or had it last. It watches, and moves nothing. */
export class CandidateFocusTracker {
  #latest: Id | null = null;
  readonly #listeners = new Set<() => void>();

  /** Begins to watch the page; returns how to end it. */
  start = (): (() => void) => {
    document.addEventListener("focusin", this.#handleFocusIn);
    this.#update(document.activeElement);
    return () => document.removeEventListener("focusin", this.#handleFocusIn);
  };

  subscribe = (watcher: () => void): (() => void) => {
    this.#listeners.add(watcher);
    return () => this.#listeners.delete(watcher);
  };

  latest = (): Id | null => this.#latest;

  readonly #handleFocusIn = ({ target }: FocusEvent) => this.#update(target);

  #update(target: EventTarget | null): void {
    const card = target instanceof Element && target.closest<HTMLElement>("[data-candidate]");
    if (!card || !card.dataset.candidate || card.dataset.candidate === this.#latest) return;
    this.#latest = card.dataset.candidate;
    for (const watcher of this.#listeners) watcher();
  }
}
