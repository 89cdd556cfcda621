import { useCallback, useMemo, useState } from "react";
import { readExpansion, withExpansion, type Expansion } from "./expansion";
import type { UrlState } from "./useUrlState";

interface UndoHistory {
  undo: string[];
  redo: string[];
}

export type ExpandedNodes = ReturnType<typeof useExpandedNodes>;

/** What is open, from the address; each change can be undone, back to exactly the same address. */
export function useExpandedNodes({ params, push: writeAddress }: UrlState) {
  const [past, setPast] = useState<UndoHistory>({ undo: [], redo: [] });
  const text = withExpansion(new URLSearchParams(), readExpansion(params)).toString();
  const expansion = useMemo(() => readExpansion(new URLSearchParams(text)), [text]);

  const write = useCallback(
    (next: string) => writeAddress((now) => withExpansion(now, readExpansion(new URLSearchParams(next)))),
    [writeAddress],
  );
  const change = useCallback(
    (next: Expansion) => {
      const query = withExpansion(new URLSearchParams(), next).toString();
      if (query === text) return;
      setPast(({ undo }) => ({ undo: [...undo, text], redo: [] }));
      write(query);
    },
    [text, write],
  );
  const step = (from: keyof UndoHistory, to: keyof UndoHistory) => {
    const next = past[from].at(-1);
    if (next === undefined) return null;
    return () => {
      setPast((now) => ({ ...now, [from]: now[from].slice(0, -1), [to]: [...now[to], text] }));
      write(next);
    };
  };
  return { expansion, change, undo: step("undo", "redo"), redo: step("redo", "undo") };
}
