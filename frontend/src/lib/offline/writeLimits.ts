/** Fits writes and activity into what the server accepts: what it refuses once, it refuses always. */
import type { ActivityEntry, Json, ResponseWrite } from "@/api/contract";

const MAX_ENTRIES = 500;
/** Half of what the server reads of one request, in UTF-16 units. */
const MAX_ENTRY_CHARACTERS = 500_000;
const MAX_VALUE_CHARACTERS = 16_000;
export const DAY_MS = 86_400_000;

/** Text that a database can hold: no U+0000, no half of a surrogate pair. */
export function toStorableText(text: string): string {
  return text.replace(/\p{Surrogate}|\0/gu, "\uFFFD");
}

function toStorableJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, part: Json) => (typeof part === "string" ? toStorableText(part) : part)) as Value;
}

export const clampActiveMs = (ms: number) => Math.min(Math.max(0, Math.round(ms)), DAY_MS);

function truncateValue(value: Json): Json {
  const clean = toStorableJson(value);
  const text = JSON.stringify(clean);
  return text.length > MAX_VALUE_CHARACTERS ? { starts: text.slice(0, 1000), length: text.length } : clean;
}

export function truncateWrite(write: ResponseWrite): ResponseWrite {
  const { conflict } = write;
  const stored = { ...write, payload: toStorableJson(write.payload), active_ms: clampActiveMs(write.active_ms) };
  return conflict ? { ...stored, conflict: toStorableText(conflict) } : stored;
}

export function truncateEntry(entry: ActivityEntry): ActivityEntry {
  const { old, new: next, active_ms: activeMs } = entry;
  return { ...entry, active_ms: clampActiveMs(activeMs), old: truncateValue(old), new: truncateValue(next) };
}

/** How many of these entries one request can take. */
export function countFitting(entries: ActivityEntry[]): number {
  let characters = 0;
  for (const [index, entry] of entries.slice(0, MAX_ENTRIES).entries()) {
    characters += JSON.stringify(entry).length;
    if (index > 0 && characters > MAX_ENTRY_CHARACTERS) return index;
  }
  return Math.min(entries.length, MAX_ENTRIES);
}
