import type { KeyboardEvent } from "react";

interface Options {
  count: number;
  active: number;
  setActive: (at: number) => void;
  isOpen: boolean;
  setOpen: (open: boolean) => void;
  clear: () => void;
  submit: () => void;
}

/** The keys of the combobox pattern: arrows walk, Enter takes, Escape closes and then clears. */
export function useListboxKeys({ count, active, setActive, isOpen, setOpen, clear, submit }: Options) {
  const moveActive = (step: number) => {
    if (!isOpen) return setOpen(true);
    if (count === 0) return;
    setActive(active < 0 && step < 0 ? count - 1 : (active + step + count) % count);
  };
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const actions: Record<string, () => void> = {
      ArrowDown: () => moveActive(1),
      ArrowUp: () => moveActive(-1),
      Enter: submit,
      Escape: () => (isOpen ? setOpen(false) : clear()),
    };
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}
