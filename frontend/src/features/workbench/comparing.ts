/** Partitions side by side, in words. */
import { storedOf, type Bench, type Comparison, type Method } from "./api";
import { coefficient } from "@/lib/format";
import { capital, listWords, METHOD_WORDS } from "./words";

interface Sided {
  method: Method;
  serendipity: number[];
  existing: number[];
}

/** What is chosen now, beside what is kept of the other methods. */
export function sidesOf(bench: Bench, chosen: ReadonlySet<number>): Sided[] {
  const { splits } = bench;
  const stored = storedOf(bench);
  if (!splits) return stored;
  const serendipity = [...chosen];
  return [{ method: "rns", serendipity, existing: splits.order.filter((one) => !chosen.has(one)) }, ...stored];
}

/** Candidates that one method calls serendipitous and another does not. */
export function differing(sides: Sided[]): number[] {
  const all = new Set(sides.flatMap(({ serendipity, existing }) => [...serendipity, ...existing]));
  return [...all].filter((position) => {
    const said = sides.flatMap(({ serendipity, existing }) => {
      if (serendipity.includes(position)) return [true];
      return existing.includes(position) ? [false] : [];
    });
    return new Set(said).size > 1;
  }).toSorted((a, b) => a - b);
}

/** 'RNS and the experts share 1 of 1; chance would share 0.2.' over the candidates that both speak of. */
export function sharedWords(one: Sided, other: Sided): string {
  const both = new Set([...one.serendipity, ...one.existing].filter((at) => other.serendipity.includes(at) || other.existing.includes(at)));
  const [first, second] = [one, other].map(({ serendipity }) => serendipity.filter((at) => both.has(at))) as [number[], number[]];
  const shared = first.filter((at) => second.includes(at)).length;
  const most = Math.min(first.length, second.length);
  const chance = both.size > 0 ? (first.length * second.length) / both.size : 0;
  return `${capital(METHOD_WORDS[one.method].who)} and ${METHOD_WORDS[other.method].who} share ${shared} of ${most} serendipitous ${most === 1 ? "candidate" : "candidates"}; by chance it would be ${coefficient(chance)}.`;
}

export function differenceWords(positions: number[], nameOf: (position: number) => string): string {
  return positions.length > 0 ? `The methods differ on ${listWords(positions.map(nameOf))}.` : "The methods agree on every candidate.";
}

/** The order that the sides induce, as far as it says anything. */
export function tauWords({ one, other, tau_b: tau }: Comparison): string {
  const who = `${capital(METHOD_WORDS[one].who)} and ${METHOD_WORDS[other].who}`;
  return tau === null ? `${who}: too few to tell how alike they are.` : `${who} as they are kept: tau-b ${coefficient(tau)}.`;
}
