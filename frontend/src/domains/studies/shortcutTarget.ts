/** Whether keys pressed there are those of a board: inside it, and not in a field. */
export const isInside = (selector: string) => (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && !target.closest("input, textarea, select") && target.closest(selector) !== null;
