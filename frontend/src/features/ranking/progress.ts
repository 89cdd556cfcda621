/** Where she is in a batch: what comes next, what came before, how long the rest may take. */
import type { Assignment, State } from "@/api/contract";

const ANSWERED: ReadonlySet<State> = new Set<State>(["confirmed", "changed", "not_sure"]);
const FEW = 3;

export const isAnswered = (state: State) => ANSWERED.has(state);
const isOpen = (state: State) => state === "untouched" || state === "draft";

export function byNumber(assignments: Assignment[]): Assignment[] {
  return assignments.toSorted((one, other) => one.question.number - other.question.number);
}

/** Where a batch goes on: the first open question, else the first skipped one. */
export function firstToDo(assignments: Assignment[]): Assignment | undefined {
  const sorted = byNumber(assignments);
  return (
    sorted.find(({ response }) => isOpen(response.state)) ??
    sorted.find(({ response }) => response.state === "skipped")
  );
}

/**
 * What comes after `current` is done with: the next open question by number, from the start again
 * where the end is reached; then the skipped ones, each once more; then nothing.
 */
export function nextAfter(assignments: Assignment[], current: Assignment): Assignment | undefined {
  const others = byNumber(assignments).filter(({ id }) => id !== current.id);
  const later = ({ question }: Assignment) => question.number > current.question.number;
  const open = others.filter(({ response }) => isOpen(response.state));
  if (open.length) return open.find(later) ?? open[0];
  const skipped = others.filter(({ response }) => response.state === "skipped");
  return current.response.state === "skipped" ? skipped.find(later) : skipped[0];
}

export function previousByNumber(assignments: Assignment[], current: Assignment): Assignment | undefined {
  return byNumber(assignments).findLast(({ question }) => question.number < current.question.number);
}

export function nextByNumber(assignments: Assignment[], current: Assignment): Assignment | undefined {
  return byNumber(assignments).find(({ question }) => question.number > current.question.number);
}

/**
 * Where she goes when she is done with `current`, which is as it was before: on with what is left. Where nothing is, she
 * reviews, and goes from answer to answer by number; but the last answer of a batch ends it.
 */
export function onwardFrom(assignments: Assignment[], current: Assignment): Assignment | undefined {
  const others = assignments.filter(({ id }) => id !== current.id);
  if (firstToDo(others)) return nextAfter(assignments, current);
  const was = current.response.submitted?.state;
  return was && isAnswered(was) ? nextByNumber(assignments, current) : undefined;
}

/** As the server counts: an answer that is being changed again still counts as it was submitted. */
export function answeredIn(assignments: Assignment[]): number {
  return assignments.filter(({ response }) => response.submitted && isAnswered(response.submitted.state)).length;
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** Her median active time times what is left; null while there is too little to tell. */
export function timeLeftMs(assignments: Assignment[]): number | null {
  const times = assignments
    .filter(({ response }) => isAnswered(response.state) && response.active_ms > 0)
    .map(({ response }) => response.active_ms);
  if (times.length < FEW) return null;
  return median(times) * (assignments.length - answeredIn(assignments));
}
