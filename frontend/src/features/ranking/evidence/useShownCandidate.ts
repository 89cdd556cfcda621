import { useEffect, useState, useSyncExternalStore } from "react";
import type { Candidate, Id } from "@/api/contract";
import type { CandidateFocus } from "./candidateFocus";

/** So long a candidate keeps the focus before its evidence is fetched: passing by is not looking. */
const REST_MS = 250;

/** The candidate whose evidence is shown: the one with focus, until another is chosen here. */
export function useShownCandidate(candidates: Candidate[], focus: CandidateFocus) {
  const focused = useSyncExternalStore(focus.watch, focus.latest);
  const [chosen, setChosen] = useState<{ id: Id; over: Id | null } | null>(null);
  const wanted = chosen && chosen.over === focused ? chosen.id : focused;
  const shown = candidates.find(({ id }) => id === wanted) ?? candidates[0];
  return { shown, choose: (id: Id) => setChosen({ id, over: focused }) };
}

/** The value once it has stayed the same for a while; at first at once. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
