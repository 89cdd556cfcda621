import { useEffect, useRef, useState, type ReactNode } from "react";

interface Read {
  data: unknown;
  isError: boolean;
  refetch: () => unknown;
}

/**
 * 'Try again' is gone while the data are read again, and the focus with it: it moves to `start`,
 * which stands before what is shown in any state.
 */
export function useRetry({ data, isError, refetch }: Read): { retry: () => void; start: ReactNode } {
  const [isRetried, setRetried] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const words = isRetried ? stateWords(data !== undefined, isError) : null;
  useEffect(() => {
    // A page that moved the focus to its heading, and a reader who went on, keep it.
    if (words !== null && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [words]);
  return {
    retry: () => {
      setRetried(true);
      void refetch();
    },
    start: words !== null && <span ref={place} role="status" tabIndex={-1} className="visually-hidden">{words}</span>,
  };
}

/** None of a failure, whose notice is read out. */
function stateWords(isRead: boolean, isError: boolean): string {
  if (isRead) return "Loaded.";
  return isError ? "" : "Loading.";
}
