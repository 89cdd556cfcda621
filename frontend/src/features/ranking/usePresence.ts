import { useEffect } from "react";
import { call, Problem, Unreachable } from "@/api/client";
import type { Id } from "@/api/contract";
import type { ActiveClock } from "@/lib/clock";

const TELL_EVERY_MS = 30_000;
const INPUTS = ["keydown", "pointerdown", "pointermove", "wheel", "touchmove"] as const;

/** Feeds the clock with her input, and tells the board that she is here. */
export function usePresence(batchId: Id, active: ActiveClock): void {
  useEffect(() => {
    let told = -Infinity;
    const input = () => {
      active.input();
      if (performance.now() - told < TELL_EVERY_MS) return;
      told = performance.now();
      void tellActive(batchId);
    };
    const visibility = () => (document.visibilityState === "visible" ? active.input() : active.hide());
    const options = { passive: true, capture: true };
    for (const kind of INPUTS) window.addEventListener(kind, input, options);
    document.addEventListener("visibilitychange", visibility);
    return () => {
      for (const kind of INPUTS) window.removeEventListener(kind, input, options);
      document.removeEventListener("visibilitychange", visibility);
    };
  }, [batchId, active]);
}

/** Presence is a courtesy to the board: if it cannot be told, nothing of hers is lost. */
async function tellActive(batchId: Id): Promise<void> {
  try {
    await call(`/api/v1/batches/${batchId}/active`, { method: "POST" });
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof Problem)) throw error;
  }
}
