import type { KeyboardEvent } from "react";

/** On everything that can be marked, so that keys find it. */
const MARKABLE = "[data-evidence]";
const STEPS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

/** From the first if none of them has the focus. Whether there is any. */
export function moveAmongEvidence(container: HTMLElement | null, step: 1 | -1): boolean {
  const all = [...(container?.querySelectorAll<HTMLElement>(MARKABLE) ?? [])];
  const at = all.findIndex((one) => one === document.activeElement);
  all[at < 0 ? 0 : at + step]?.focus();
  return all.length > 0;
}

/** Up and down move among what can be marked; elsewhere the arrows have their own use. */
export function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: container, target } = event;
  const step = STEPS[event.key];
  if (!step || !(target === container || (target instanceof HTMLElement && target.matches(MARKABLE)))) return;
  if (moveAmongEvidence(container, step)) event.preventDefault();
}
