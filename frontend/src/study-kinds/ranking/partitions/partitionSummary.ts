import { formatCount, formatPlural } from "@/lib/format";
import type { PartitionedStudy } from "./partitionQueries";

const MAX_NAMED_QUESTIONS = 10;

/** The partitions that were created, and what was left out and why, in sentences. */
export function partitionSummary(result: PartitionedStudy): string[] {
  const { questions, expert, llm, llm_unchanged: unchanged } = result;
  const sentences = [
    `Experts: ${formatCount(expert.partitions)} of ${formatPlural(questions, "question")} have a partition, ${newLabel(expert.new)}.${tiesLabel(expert.tied)}`,
    `Language models: ${formatPlural(llm.partitions, "partition")} of the order shown first, ${newLabel(llm.new)}.${tiesLabel(llm.tied)}${unchanged > 0 ? ` ${formatCount(unchanged)} from elsewhere stayed as they are.` : ""}`,
    skippedText(result.few_raters, "fewer than two experts ranked them"),
    skippedText(result.few_candidates, "they have too few candidates"),
    skippedText(result.excluded, "a coordinator excluded them"),
    result.adjudicated > 0 ? `From an adjudicated order: ${formatPlural(result.adjudicated, "partition")}.` : "",
    membershipText(result),
    otherTopText(result.other_top),
    answersLabel(result.not_sure_left_out, result.skipped_left_out),
    result.calibrations > 0 ? "Calibrated weights are being computed. The workbench will offer them as ‘Calibrated’." : "",
  ];
  return sentences.filter(Boolean);
}

function membershipText({ without_membership: count, is_complete: isComplete }: PartitionedStudy): string {
  if (count === 0) return "";
  const partitions = formatPlural(count, "partition");
  return isComplete
    ? `Without the probability of each candidate, as ties among many have no model: ${partitions}.`
    : `The probability of each candidate is being computed for ${partitions} and added to them.`;
}

function otherTopText(questions: PartitionedStudy["other_top"]): string {
  return questions.length === 0 ? "" : `Probability prefers a candidate outside the serendipity set: ${formatPlural(questions.length, "question")} (${namedQuestions(questions)}).`;
}

function newLabel(number: number): string {
  return number === 0 ? "none of them new" : `${formatCount(number)} of them new`;
}

function tiesLabel(number: number): string {
  return number === 0 ? "" : ` In ${formatCount(number)} a tie was decided by the order of the file.`;
}

/** Question numbers repeat from batch to batch. */
function skippedText(omitted: PartitionedStudy["few_raters"], why: string): string {
  if (omitted.length === 0) return "";
  return `Left out because ${why}: ${formatPlural(omitted.length, "question")} (${namedQuestions(omitted)}).`;
}

function namedQuestions(questions: PartitionedStudy["few_raters"]): string {
  const more = questions.length - MAX_NAMED_QUESTIONS;
  const first = questions.slice(0, MAX_NAMED_QUESTIONS);
  const numbersIn = (batch: number) => first.filter((one) => one.batch === batch).map(({ number }) => formatCount(number)).join(", ");
  const named = [...new Set(first.map(({ batch }) => batch))].map((batch) => `batch ${batch}: ${numbersIn(batch)}`).join("; ");
  return `${named}${more > 0 ? ` and ${formatCount(more)} more` : ""}`;
}

function answersLabel(notSure: number, skipped: number): string {
  return notSure + skipped === 0 ? "" : `Answers that do not count: ${formatCount(notSure)} not sure, ${formatCount(skipped)} skipped.`;
}
