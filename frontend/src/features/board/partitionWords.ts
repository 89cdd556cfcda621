import type { PartitionedStudy } from "@/api/contract";
import { count, plural } from "@/lib/format";

const NAMED_AT_MOST = 10;

/** What was made of the experts' orders, and what was left out and why, in sentences. */
export function partitionWords(made: PartitionedStudy): string[] {
  const { questions, expert, llm, kept } = made;
  const said = [
    `Experts: ${count(expert.partitions)} of ${plural(questions, "question")} have a partition, ${news(expert.new)}.${ties(expert.tied)}`,
    `Language models: ${plural(llm.partitions, "partition")} of the order shown first, ${news(llm.new)}.${ties(llm.tied)}${kept > 0 ? ` ${count(kept)} from elsewhere stayed as they are.` : ""}`,
    leftOut(made.few_raters, "fewer than two experts put them in order"),
    leftOut(made.few_candidates, "they have too few candidates"),
    answers(made.not_sure_left_out, made.skipped_left_out),
    made.calibrations > 0 ? "The weights that fit these experts are being worked out; the workbench offers them as ‘calibrated’ once they are there." : "",
  ];
  return said.filter(Boolean);
}

function news(number: number): string {
  return number === 0 ? "none of them new" : `${count(number)} of them new`;
}

function ties(number: number): string {
  return number === 0 ? "" : ` In ${count(number)} a tie was decided by the order of the file.`;
}

function leftOut(numbers: number[], why: string): string {
  if (numbers.length === 0) return "";
  const more = numbers.length - NAMED_AT_MOST;
  const named = numbers.slice(0, NAMED_AT_MOST).map(count).join(", ");
  return `Left out, for ${why}: ${plural(numbers.length, "question")} (${named}${more > 0 ? ` and ${count(more)} more` : ""}).`;
}

function answers(notSure: number, skipped: number): string {
  return notSure + skipped === 0 ? "" : `Answers that do not count: ${count(notSure)} not sure, ${count(skipped)} skipped.`;
}
