import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { readWeights, writeWeights, type Weights } from "./simplex";

/** A hand at rest for so long has chosen: only then does the address follow. */
const REST_MS = 250;

export type Pins = Record<string, string>;

/**
 * The weights of this page: at once for what is drawn, a moment later in the address. What else the
 * page shows is pinned beside them, unless the address names it already.
 */
export function useWeights(preset: Weights, pins: Pins = {}) {
  const [params, setParams] = useSearchParams();
  const [weights, setWeights] = useState(() => readWeights(params.get("w")) ?? preset);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ setParams, pins });
  useEffect(() => {
    latest.current = { setParams, pins };
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const choose = useCallback((next: Weights) => {
    setWeights(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      latest.current.setParams((before) => pinned(before, { w: writeWeights(next) }, latest.current.pins), {
        replace: true,
        preventScrollReset: true,
      });
    }, REST_MS);
  }, []);
  return { weights, choose };
}

/** The address with what was set, and with what it did not name yet; '' takes a name away. */
export function pinned(before: URLSearchParams, set: Pins, pins: Pins): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(set)) {
    if (value === "") after.delete(name);
    else after.set(name, value);
  }
  for (const [name, value] of Object.entries(pins)) if (!after.has(name) && !(name in set)) after.set(name, value);
  return after;
}
