import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { readWeights, writeWeights, type Weights } from "./simplex";

/** A hand at rest for so long has chosen: only then does the address follow. */
const REST_MS = 250;

/** The weights of this page: at once for what is drawn, a moment later in the address. */
export function useWeights(preset: Weights) {
  const [params, setParams] = useSearchParams();
  const [weights, setWeights] = useState(() => readWeights(params.get("w")) ?? preset);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(setParams);
  useEffect(() => {
    latest.current = setParams;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const choose = useCallback((next: Weights) => {
    setWeights(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      latest.current(
        (before) => {
          const after = new URLSearchParams(before);
          after.set("w", writeWeights(next));
          return after;
        },
        { replace: true, preventScrollReset: true },
      );
    }, REST_MS);
  }, []);
  return { weights, choose };
}
