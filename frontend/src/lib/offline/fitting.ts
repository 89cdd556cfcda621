/** Makes of any change writes that the server can take: what it would refuse, it would refuse for ever. */
import type { Json, ResponseEvent, ResponseWrite } from "@/api/contract";
import { uuid } from "@/lib/uuid";

export const EVENTS_AT_MOST = 500;
/** Half of what the server reads of one request, in UTF-16 units. */
export const EVENT_TEXT_AT_MOST = 500_000;
const VALUE_TEXT_AT_MOST = 16_000;
export const DAY_MS = 86_400_000;

/** Text that a database can hold: no U+0000, no half of a surrogate pair. */
export function storable(text: string): string {
  return text.replace(/\p{Surrogate}|\0/gu, "\uFFFD");
}

function storableJson(value: Json): Json {
  return JSON.parse(JSON.stringify(value), (_, part: Json) => (typeof part === "string" ? storable(part) : part)) as Json;
}

function fittingValue(value: Json): Json {
  const clean = storableJson(value);
  const text = JSON.stringify(clean);
  return text.length > VALUE_TEXT_AT_MOST ? { starts: text.slice(0, 1000), length: text.length } : clean;
}

function fittingEvent(event: ResponseEvent): ResponseEvent {
  return { ...event, old: fittingValue(event.old), new: fittingValue(event.new) };
}

export function fitting(write: ResponseWrite): ResponseWrite {
  const isUnsure = write.action === "save" || write.action === "not_sure";
  return {
    ...write,
    // The server empties it for an order that was submitted; then the two can be compared.
    unsure_reason: isUnsure ? write.unsure_reason : "",
    comment: storable(write.comment),
    active_ms: Math.min(Math.max(0, Math.round(write.active_ms)), DAY_MS),
    events: write.events.map(fittingEvent),
  };
}

export function fitsInOne(events: ResponseEvent[]): boolean {
  return events.length <= EVENTS_AT_MOST && textOf(events) <= EVENT_TEXT_AT_MOST;
}

function textOf(events: ResponseEvent[]): number {
  return events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
}

export interface Part {
  id: string;
  write: ResponseWrite;
}

/** As many saves as its events need, and at last the write itself. */
export function inParts(id: string, write: ResponseWrite): Part[] {
  if (fitsInOne(write.events)) return [{ id, write }];
  const now = write.events.slice(0, howManyFit(write.events));
  const first: Part = { id: uuid(), write: { ...write, action: "save", active_ms: 0, events: now } };
  return [first, ...inParts(id, { ...write, events: write.events.slice(now.length) })];
}

function howManyFit(events: ResponseEvent[]): number {
  let count = 1;
  let text = textOf(events.slice(0, 1));
  for (const event of events.slice(1, EVENTS_AT_MOST)) {
    text += textOf([event]);
    if (text > EVENT_TEXT_AT_MOST) break;
    count += 1;
  }
  return count;
}
