/** Partitions side by side, in words. */
import { formatCoefficient, formatList } from "@/lib/format";
import { storedPartitions, type Workbench, type Comparison, type Method } from "./api";
import { capitalize, METHOD_LABELS } from "./labels";

interface NamedSplit {
  method: Method;
  serendipity: number[];
  existing: number[];
}

/** What is chosen now, beside what is kept of the other methods. */
export function namedSplits(bench: Workbench, chosen: ReadonlySet<number>): NamedSplit[] {
  const { splits } = bench;
  const stored = storedPartitions(bench);
  if (!splits) return stored;
  const serendipity = [...chosen];
  return [{ method: "rns", serendipity, existing: splits.order.filter((one) => !chosen.has(one)) }, ...stored];
}

/** Candidates that one method calls serendipitous and another does not. */
export function differingPositions(sides: NamedSplit[]): number[] {
  const all = new Set(sides.flatMap(({ serendipity, existing }) => [...serendipity, ...existing]));
  return [...all].filter((position) => {
    const assigned = sides.flatMap(({ serendipity, existing }) => {
      if (serendipity.includes(position)) return [true];
      return existing.includes(position) ? [false] : [];
    });
    return new Set(assigned).size > 1;
  }).toSorted((a, b) => a - b);
}

/** 'RNS and the experts share 1 of 1; chance would share 0.2.' over the candidates that both speak of. */
export function overlapText(one: NamedSplit, other: NamedSplit): string {
  const both = new Set([...one.serendipity, ...one.existing].filter((at) => other.serendipity.includes(at) || other.existing.includes(at)));
  const [first, second] = [one, other].map(({ serendipity }) => serendipity.filter((at) => both.has(at))) as [number[], number[]];
  const shared = first.filter((at) => second.includes(at)).length;
  const most = Math.min(first.length, second.length);
  const chance = both.size > 0 ? (first.length * second.length) / both.size : 0;
  return `${capitalize(METHOD_LABELS[one.method].who)} and ${METHOD_LABELS[other.method].who} share ${shared} of ${most} serendipitous ${most === 1 ? "candidate" : "candidates"}; expected by chance: ${formatCoefficient(chance)}.`;
}

export function differenceText(positions: number[], nameOf: (position: number) => string): string {
  return positions.length > 0 ? `The methods differ on ${formatList(positions.map(nameOf))}.` : "The methods agree on every candidate.";
}

/** The order that the sides induce, as far as it has a meaning. */
export function tauText({ one, other, tau_b: tau }: Comparison): string {
  const who = `${capitalize(METHOD_LABELS[one].who)} and ${METHOD_LABELS[other].who}`;
  return tau === null ? `${who}: too few candidates to compare them.` : `${who} (stored orders): tau-b ${formatCoefficient(tau)}.`;
}
