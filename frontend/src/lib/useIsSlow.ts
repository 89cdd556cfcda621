import { useEffect, useState } from "react";

/** After this time what still waits for the server is reported as slow. */
const SLOW_AFTER_MS = 4_000;

/** Whether it waits for long. The time starts again with each `step` that the server has answered. */
export function useIsSlow(isWaiting: boolean, step: number | null = null): boolean {
  const [slow, setSlow] = useState<{ step: number | null } | null>(null);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setSlow({ step }), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setSlow(null);
    };
  }, [isWaiting, step]);
  return slow !== null && slow.step === step;
}
