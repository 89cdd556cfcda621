import { useCallback, useRef, useState } from "react";

/** Words for a screen reader; the same words twice are still announced twice. */
export function useAnnouncer(): { announce: (words: string) => void; region: React.ReactNode } {
  const [words, setWords] = useState("");
  const odd = useRef(false);
  const announce = useCallback((next: string) => {
    odd.current = !odd.current;
    setWords(odd.current ? next : `${next}\u00a0`);
  }, []);
  const region = <div className="visually-hidden" role="status" aria-live="polite" data-announcer>{words}</div>;
  return { announce, region };
}
