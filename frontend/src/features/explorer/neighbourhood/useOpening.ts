import { useCallback, useMemo, useState } from "react";
import { readOpening, withOpening, type Opening } from "./state";
import type { Address } from "./useAddress";

interface Past {
  undo: string[];
  redo: string[];
}

export interface Openings {
  opening: Opening;
  change: (next: Opening) => void;
  undo: (() => void) | null;
  redo: (() => void) | null;
}

/** What is open, from the address; each change can be undone, back to exactly the same address. */
export function useOpening({ params, write: writeAddress }: Address): Openings {
  const [past, setPast] = useState<Past>({ undo: [], redo: [] });
  const text = withOpening(new URLSearchParams(), readOpening(params)).toString();
  const opening = useMemo(() => readOpening(new URLSearchParams(text)), [text]);

  const write = useCallback(
    (next: string) => writeAddress((now) => withOpening(now, readOpening(new URLSearchParams(next)))),
    [writeAddress],
  );
  const change = useCallback(
    (next: Opening) => {
      const wanted = withOpening(new URLSearchParams(), next).toString();
      if (wanted === text) return;
      setPast(({ undo }) => ({ undo: [...undo, text], redo: [] }));
      write(wanted);
    },
    [text, write],
  );
  const step = (from: keyof Past, to: keyof Past) => {
    const next = past[from].at(-1);
    if (next === undefined) return null;
    return () => {
      setPast((now) => ({ ...now, [from]: now[from].slice(0, -1), [to]: [...now[to], text] }));
      write(next);
    };
  };
  return { opening, change, undo: step("undo", "redo"), redo: step("redo", "undo") };
}
