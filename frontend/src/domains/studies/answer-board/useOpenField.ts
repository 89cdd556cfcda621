import { useRef, useState } from "react";
import { flushSync } from "react-dom";

/** A field that a button or a key opens: it has the focus then, behind its text. */
export function useOpenField(isOpenAtFirst: boolean) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [isOpen, setOpen] = useState(isOpenAtFirst);

  function open(): void {
    flushSync(() => setOpen(true));
    const end = field.current?.value.length ?? 0;
    field.current?.focus();
    field.current?.setSelectionRange(end, end);
  }

  return { field, isOpen, open, toggle: () => (isOpen ? setOpen(false) : open()) };
}
