/** Whether two payloads are the same answer. Each study kind registers its own comparison. */
import type { Payload } from "@/api/contract";

type PayloadComparison = (left: Payload, right: Payload) => boolean;

const comparisons = new Map<string, PayloadComparison>();

export function registerPayloadComparison(kind: string, isSame: PayloadComparison): void {
  comparisons.set(kind, isSame);
}

/** Kinds without a comparison of their own are compared by structure. */
export function isSamePayload(kind: string, left: Payload, right: Payload): boolean {
  return (comparisons.get(kind) ?? isDeepEqual)(left, right);
}

function isDeepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [a, b] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && isDeepEqual(value, b.get(key)));
}
