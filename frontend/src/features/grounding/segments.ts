/** The text of a rationale in parts, each of one claim or of none. */
import type { Claim } from "./queries";

export interface Segment {
  text: string;
  claim: Claim | null;
  /** Further claims whose words are all in this part. */
  others: Claim[];
}

/** Offsets count characters, of which JavaScript's strings may need two units for one. */
export function segmentText(rationale: string, claims: Claim[]): Segment[] {
  const characters = Array.from(rationale);
  const placed = claims.filter((claim) => claim.start !== null && claim.end !== null);
  const segments: Segment[] = [];
  const starts: number[] = [];
  const add = (start: number, end: number, claim: Claim | null) => {
    starts.push(start);
    segments.push({ text: characters.slice(start, end).join(""), claim, others: [] });
  };
  let from = 0;
  for (const claim of placed.toSorted((a, b) => Number(a.start) - Number(b.start))) {
    const start = Math.max(Number(claim.start), from);
    const end = Number(claim.end);
    // The words of an earlier claim are shown as its own, and this one beside them.
    if (end <= start) {
      segments[starts.findLastIndex((one) => one <= Number(claim.start))]?.others.push(claim);
      continue;
    }
    if (start > from) add(from, start, null);
    add(start, end, claim);
    from = end;
  }
  if (from < characters.length) add(from, characters.length, null);
  return segments;
}

/** Claims that no segment shows. */
export function unplacedClaims(segments: Segment[], claims: Claim[]): Claim[] {
  const shown = new Set(segments.flatMap(({ claim, others }) => [claim?.number, ...others.map(({ number }) => number)]));
  return claims.filter(({ number }) => !shown.has(number));
}
