import type { Board, BoardBatch, RecentResponse } from "@/api/contract";
import { batchesInWords } from "@/components/invitations/words";
import { count, duration, expectedDay, percent, plural } from "@/lib/format";
import { STATE_WORDS } from "@/lib/words";

export interface Figure {
  label: string;
  value: string;
  note: string;
  /** False where words stand for a number that is not there yet. */
  known: boolean;
}

const TOO_FEW = "too few to tell";

/** The four figures over the board. */
export function figuresOf({ totals, study }: Board, now = new Date()): Figure[] {
  return [
    responses(totals),
    medianTime(totals),
    {
      label: "Changed, of the orders given",
      value: totals.changed_share === null ? TOO_FEW : percent(totals.changed_share),
      note: totals.not_sure_share === null ? "" : `${percent(totals.not_sure_share)} of answers not sure`,
      known: totals.changed_share !== null,
    },
    { label: "At this pace", note: experts(totals), ...finish(totals, study.status, now) },
  ];
}

function responses({ answered, expected }: Board["totals"]): Figure {
  const label = "Responses";
  if (expected === 0) return { label, value: "none yet", note: "nobody is assigned", known: false };
  return { label, value: count(answered), note: `of ${count(expected)}`, known: true };
}

function medianTime({ median_active_ms: median }: Board["totals"]): Figure {
  const label = "Median time a question";
  if (median === null) return { label, value: "no times yet", note: "", known: false };
  return { label, value: duration(median), note: "idle left out", known: true };
}

function experts({ experts: number }: Board["totals"]): string {
  return number === 0 ? "no experts yet" : plural(number, "expert");
}

function finish(totals: Board["totals"], status: Board["study"]["status"], now: Date) {
  if (totals.expected > 0 && totals.answered >= totals.expected) return { value: "all done", known: true };
  if (status === "closed") return { value: "closed", known: true };
  if (totals.finish_at === null) return { value: TOO_FEW, known: false };
  return { value: `done ${expectedDay(totals.finish_at, now)}`, known: true };
}

export function batchLabel(batch: { number: number }): string {
  return `Batch ${batch.number}`;
}

/** Its name and its size: 'Cancer. 20 questions.' */
export function batchHint({ name, questions }: Pick<BoardBatch, "name" | "questions">): string {
  return `${name ? `${name}. ` : ""}${plural(questions, "question")}.`;
}

/** What happened, on the right of a line of 'Now'. */
export function outcome({ state, confidence }: RecentResponse): string {
  const sure = confidence === null ? "" : `, sure ${confidence} of 5`;
  return STATE_WORDS[state] + sure;
}

export interface Part {
  key: "agreed" | "changed" | "not-sure" | "left";
  label: string;
  count: number;
}

/** How a batch's expected answers divide; the parts add up to all of them. */
export function partsOf(batch: BoardBatch): Part[] {
  return [
    { key: "agreed", label: "agreed", count: batch.confirmed },
    { key: "changed", label: "changed", count: batch.changed },
    { key: "not-sure", label: "not sure", count: batch.not_sure },
    { key: "left", label: "skipped or left", count: Math.max(0, batch.expected - batch.answered) },
  ];
}

export function hasAnswers(batch: BoardBatch): boolean {
  return batch.answered > 0;
}

/** The batches that the picture leaves out, or nothing. */
export function untouchedInWords(batches: BoardBatch[]): string {
  const numbers = batches.filter((batch) => !hasAnswers(batch)).map((batch) => batch.number);
  return numbers.length === 0 ? "" : `Nothing is answered yet in ${batchesInWords(numbers)}.`;
}

export function partsInWords(batch: BoardBatch): string {
  return partsOf(batch)
    .filter((part) => part.count > 0)
    .map((part) => `${count(part.count)} ${part.label}`)
    .join(", ");
}

/** The picture in one or two sentences. */
export function divisionInWords(batches: BoardBatch[]): string {
  const total = (of: (batch: BoardBatch) => number) => batches.reduce((sum, batch) => sum + of(batch), 0);
  const answered = total((batch) => batch.answered);
  const left = total((batch) => batch.expected) - answered;
  const skipped = total((batch) => batch.skipped);
  if (answered === 0) return "Nothing is answered yet, so there is nothing to divide.";
  const share = (of: (batch: BoardBatch) => number) => percent(total(of) / answered);
  const done =
    `Of ${plural(answered, "answer")}, the ‘not sure’ among them, ${share((batch) => batch.confirmed)} agree with the ` +
    `order shown, ${share((batch) => batch.changed)} change it and ${share((batch) => batch.not_sure)} are not sure.`;
  if (left === 0) return `${done} Nothing is left.`;
  return `${done} ${count(left)} ${left === 1 ? "is" : "are"} left, ${skipped ? count(skipped) : "none"} of them skipped.`;
}

/** Why a share of a row is not a number. */
export function changedInWords(row: { answered: number; changed_share: number | null }): string {
  if (row.changed_share !== null) return percent(row.changed_share);
  return row.answered > 0 ? "no orders" : "not yet";
}

export function timeInWords(ms: number | null): string {
  return ms === null ? "not yet" : duration(ms);
}

export function namesOf(people: { name: string; is_simulated: boolean }[]): string {
  return people.map((person) => nameOf(person)).join(", ");
}

/** Simulated people are said to be so wherever their name does not say it. */
export function nameOf({ name, is_simulated: simulated }: { name: string; is_simulated: boolean }): string {
  const shown = name || "an expert without a name";
  return simulated && !/simulated/i.test(shown) ? `${shown} (simulated)` : shown;
}
