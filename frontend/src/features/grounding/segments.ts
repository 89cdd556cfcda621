/** The text of a rationale in parts, each of one claim or of none. */
import type { Claim } from "./queries";

export interface Segment {
  text: string;
  claim: Claim | null;
}

/** Offsets count characters, of which JavaScript's strings may need two units for one. */
export function segmentText(rationale: string, claims: Claim[]): Segment[] {
  const characters = Array.from(rationale);
  const placed = claims.filter((claim) => claim.start !== null && claim.end !== null);
  const segments: Segment[] = [];
  let from = 0;
  for (const claim of placed.toSorted((a, b) => Number(a.start) - Number(b.start))) {
    const start = Math.max(Number(claim.start), from);
    const end = Number(claim.end);
    // The words of an earlier claim are shown as its own.
    if (end <= start) continue;
    if (start > from) segments.push({ text: characters.slice(from, start).join(""), claim: null });
    segments.push({ text: characters.slice(start, end).join(""), claim });
    from = end;
  }
  if (from < characters.length) segments.push({ text: characters.slice(from).join(""), claim: null });
  return segments;
}

/** Claims that no segment shows. */
export function unplacedClaims(segments: Segment[], claims: Claim[]): Claim[] {
  const shown = new Set(segments.map(({ claim }) => claim?.number));
  return claims.filter(({ number }) => !shown.has(number));
}
