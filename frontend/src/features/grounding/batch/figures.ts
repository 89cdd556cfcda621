import { formatCoefficient, formatCount, formatPercent } from "@/lib/format";
import type { Figure } from "./queries";

function withInterval(figure: Figure, format: (value: number) => string): string {
  if (figure.low === null || figure.high === null) return `${format(figure.value)}, no interval`;
  return `${format(figure.value)}, 95% interval ${format(figure.low)} to ${format(figure.high)}${figure.is_approximate ? " (approximate)" : ""}`;
}

export const shareWithInterval = (figure: Figure) => withInterval(figure, formatPercent);

export const coefficientWithInterval = (figure: Figure) => withInterval(figure, formatCoefficient);

/** Of verified claims: those with a verdict by a simulated expert; null where there is none. */
export function simulatedText(simulated: number, verified: number): string | null {
  if (simulated === 0) return null;
  const share = simulated === verified ? "All" : `${formatCount(simulated)} of ${formatCount(verified)}`;
  return `${share} verified by simulated experts`;
}

/** Of claims whose experts differ, parts. */
export const formatPart = (value: number) => (Number.isInteger(value) ? formatCount(value) : value.toFixed(1));
