/** Progress in a batch: what comes next, what came before, how long the rest may take. */
import type { Assignment } from "@/api/contract";
import { isAnswer } from "@/domains/studies/studyKind";

const MIN_TIMED_ANSWERS = 3;

export const isOpen = ({ response }: Assignment) => response.status === "untouched" || response.status === "draft";
const isSkipped = ({ response }: Assignment) => response.status === "skipped";

export function sortByNumber(assignments: Assignment[]): Assignment[] {
  return assignments.toSorted((left, right) => left.item.number - right.item.number);
}

/** Where a batch continues: the first open question, else the first skipped one. */
export function firstOpen(assignments: Assignment[]): Assignment | undefined {
  const sorted = sortByNumber(assignments);
  return sorted.find(isOpen) ?? sorted.find(isSkipped);
}

/**
 * What follows once `current` is finished: the next open question by number, from the start again
 * at the end; then the skipped ones, each once more; then nothing.
 */
export function nextAfter(assignments: Assignment[], current: Assignment): Assignment | undefined {
  const others = sortByNumber(assignments).filter(({ id }) => id !== current.id);
  const isLater = ({ item }: Assignment) => item.number > current.item.number;
  const open = others.filter(isOpen);
  if (open.length) return open.find(isLater) ?? open[0];
  const skipped = others.filter(isSkipped);
  return isSkipped(current) ? skipped.find(isLater) : skipped[0];
}

export function previousByNumber(assignments: Assignment[], current: Assignment): Assignment | undefined {
  return sortByNumber(assignments).findLast(({ item }) => item.number < current.item.number);
}

export function nextByNumber(assignments: Assignment[], current: Assignment): Assignment | undefined {
  return sortByNumber(assignments).find(({ item }) => item.number > current.item.number);
}

/**
 * What follows once `current` is finished, which is still as it was before: the questions that are
 * left. Where none is, the expert reviews and goes from answer to answer by number; but the last
 * answer of a batch ends it.
 */
export function nextOpenAfter(assignments: Assignment[], current: Assignment): Assignment | undefined {
  const others = assignments.filter(({ id }) => id !== current.id);
  if (firstOpen(others)) return nextAfter(assignments, current);
  return isAnswered(current) ? nextByNumber(assignments, current) : undefined;
}

/** As the server counts: an answer that is being changed again still counts as it was submitted. */
export function countAnswered(assignments: Assignment[]): number {
  return assignments.filter(isAnswered).length;
}

const isAnswered = ({ response }: Assignment) => isAnswer(response.submitted?.outcome ?? "");

function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** The median active time times the number of questions left; null with too few timed answers. */
export function estimateTimeLeftMs(assignments: Assignment[]): number | null {
  const times = assignments.filter(({ response }) => response.status === "submitted" && response.active_ms > 0)
    .map(({ response }) => response.active_ms);
  if (times.length < MIN_TIMED_ANSWERS) return null;
  return median(times) * (assignments.length - countAnswered(assignments));
}
