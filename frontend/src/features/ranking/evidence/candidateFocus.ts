import type { Id } from "@/api/contract";

/** Which candidate has the focus, or had it last. It watches, and moves nothing. */
export class CandidateFocus {
  #latest: Id | null = null;
  readonly #watchers = new Set<() => void>();

  /** Begins to watch the page; returns how to end it. */
  start = (): (() => void) => {
    document.addEventListener("focusin", this.#seen);
    this.#see(document.activeElement);
    return () => document.removeEventListener("focusin", this.#seen);
  };

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  latest = (): Id | null => this.#latest;

  readonly #seen = ({ target }: FocusEvent) => this.#see(target);

  #see(target: EventTarget | null): void {
    const card = target instanceof Element && target.closest<HTMLElement>("[data-candidate]");
    if (!card || !card.dataset.candidate || card.dataset.candidate === this.#latest) return;
    this.#latest = card.dataset.candidate;
    for (const watcher of this.#watchers) watcher();
  }
}
