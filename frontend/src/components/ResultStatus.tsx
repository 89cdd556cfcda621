import { useEffect, useRef, type ReactNode } from "react";

/** The result of an action whose control is gone: it takes the focus, and is read out. */
export function ResultStatus({ message, children }: { message: string; children?: ReactNode }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (message) place.current?.focus();
  }, [message]);
  return <p ref={place} role="status" tabIndex={-1}>{message}{children}</p>;
}
