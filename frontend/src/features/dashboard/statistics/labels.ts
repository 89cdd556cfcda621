import type { ExpertProgress, StatisticsFigure } from "@/api/contract";
import { formatCoefficient, formatCount } from "@/lib/format";

const SMALLEST_P = 0.0001;

export function valueLabel({ value }: StatisticsFigure): string {
  if (value === null) return "none";
  return Number.isInteger(value) ? formatCount(value) : formatCoefficient(value);
}

/** The bounds, or the sentence of why there is no number or no interval. */
export function intervalLabel({ low, high, reason, interval_reason: missing }: StatisticsFigure): string {
  if (low === null || high === null) return reason || missing;
  return `${formatCoefficient(low)} to ${formatCoefficient(high)}`;
}

/** Adjusted over the experts where several were tested. */
export function pValueLabel({ p_value: p, adjusted_p: adjusted }: StatisticsFigure): string {
  if (p === null) return "";
  return adjusted === null ? pLabel(p) : `${pLabel(adjusted)} (adjusted)`;
}

const pLabel = (p: number): string => (p < SMALLEST_P ? `< ${SMALLEST_P}` : p.toFixed(4));

export function countLabel({ n, unit }: StatisticsFigure): string {
  return `${formatCount(n)} ${unit}`;
}

export function expertLabel(id: string, experts: ExpertProgress[]): string {
  const expert = experts.find((one) => one.id === id);
  return expert ? expert.name || expert.email : "An expert who left the study";
}
