import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { parseWeights, formatWeights, type Weights } from "@/lib/weights/simplex";

/** A hand at rest for so long has chosen: only then does the address follow. */
const URL_DELAY_MS = 250;

export type PinnedParams = Record<string, string>;

/**
 * The weights of this page: at once for what is drawn, a moment later in the address. What else the
 * page shows is pinned beside them, unless the address names it already; `cleared` names leave it.
 */
export function useWeights(preset: Weights, pins: PinnedParams = {}, cleared: PinnedParams = {}) {
  const [params, setParams] = useSearchParams();
  const [weights, setWeights] = useState(() => parseWeights(params.get("w")) ?? preset);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ setParams, pins, cleared });
  useEffect(() => {
    latest.current = { setParams, pins, cleared };
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const choose = useCallback((next: Weights) => {
    setWeights(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      latest.current.setParams((before) => withPins(before, { w: formatWeights(next), ...latest.current.cleared }, latest.current.pins), {
        replace: true,
        preventScrollReset: true,
      });
    }, URL_DELAY_MS);
  }, []);
  return { weights, choose };
}

/** The address with what was set, and with what it did not name yet; '' takes a name away. */
export function withPins(before: URLSearchParams, set: PinnedParams, pins: PinnedParams): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(set)) {
    if (value === "") after.delete(name);
    else after.set(name, value);
  }
  for (const [name, value] of Object.entries(pins)) if (!after.has(name) && !(name in set)) after.set(name, value);
  return after;
}
