import type { Dashboard, DashboardBatch, Measure, OutcomeCounts, RecentResponse } from "@/api/contract";
import { Check } from "lucide-react";
import { batchesLabel } from "@/domains/accounts/invitations/labels";
import { outcomeLabel, type StudyKindInfo } from "@/domains/studies/studyKind";
import { formatCount, formatDuration, formatExpectedDate, formatPercent, formatPlural, formatList } from "@/lib/format";

interface SummaryStat {
  label: string;
  value: string;
  note: string;
  /** False where text stands for a number that is not known yet. */
  hasValue: boolean;
}

const TOO_FEW_RESPONSES = "too few to tell";

/** Instead of a figure of how questions were answered. */
export const NOT_SHOWN = {
  text: "not shown yet",
  long: "How questions were answered is shown once the study has ended and none waits for adjudication, which is blind.",
};

export function summaryStats(info: StudyKindInfo, { totals, study }: Dashboard, now = new Date()): SummaryStat[] {
  return [
    responsesStat(totals),
    medianTimeStat(totals),
    ...shareStat(info, totals),
    { label: "Expected end", note: expertsStat(totals), ...expectedEndStat(totals, study.status, now) },
  ];
}

function shareStat({ dashboard: { share, secondShare } }: StudyKindInfo, { shares }: Dashboard["totals"]): SummaryStat[] {
  if (!share) return [];
  const [first, second] = [share.name, secondShare?.name].map((name) => shares.find((one) => one.name === name));
  const value = first?.value ?? null;
  const notes = [value === null ? "" : ofAnswers(first), shareNote(second, secondShare?.label)];
  return [
    {
      label: share.summaryLabel,
      value: value === null ? (first ? TOO_FEW_RESPONSES : NOT_SHOWN.text) : formatPercent(value),
      note: notes.filter(Boolean).join("; "),
      hasValue: value !== null,
    },
  ];
}

/** Shares here are of answers; the tab of statistics averages questions while the study is open. */
const ofAnswers = (share: Measure | undefined) => (share ? `of ${formatPlural(share.n, "answer")}` : "");

function shareNote(share: Measure | undefined, label = ""): string {
  return share && share.value !== null ? `${formatPercent(share.value)} ${ofAnswers(share)} ${label}` : "";
}

function responsesStat({ answered, expected }: Dashboard["totals"]): SummaryStat {
  const label = "Responses";
  if (expected === 0) return { label, value: "none yet", note: "nobody is assigned", hasValue: false };
  return { label, value: formatCount(answered), note: `of ${formatCount(expected)}`, hasValue: true };
}

function medianTimeStat({ median_active_ms: median }: Dashboard["totals"]): SummaryStat {
  const label = "Median time a question";
  if (median === null) return { label, value: "no times yet", note: "", hasValue: false };
  return { label, value: formatDuration(median), note: "without idle time", hasValue: true };
}

function expertsStat({ experts: number }: Dashboard["totals"]): string {
  return number === 0 ? "no experts yet" : formatPlural(number, "expert");
}

function expectedEndStat(totals: Dashboard["totals"], status: Dashboard["study"]["status"], now: Date) {
  if (totals.expected > 0 && totals.answered >= totals.expected) return { value: "all done", hasValue: true };
  if (status !== "open") return { value: status, hasValue: true };
  if (totals.finish_at === null) return { value: "not known yet", hasValue: false };
  return { value: formatExpectedDate(totals.finish_at, now), hasValue: true };
}

export function batchLabel(batch: { number: number }): string {
  return `Batch ${batch.number}`;
}

/** Its name and its size: 'Cancer. 20 questions.' */
export function batchHint({ name, questions }: Pick<DashboardBatch, "name" | "questions">): string {
  return `${name ? `${name}. ` : ""}${formatPlural(questions, "question")}.`;
}

/** 'answered', but not how: who watches the study can still adjudicate its questions blind. */
export function resultLabel(info: StudyKindInfo, { outcome }: Pick<RecentResponse, "outcome">): string {
  return outcomeLabel(info, outcome);
}

interface DistributionPart {
  /** Its colour: the place among the kind's outcomes, 'warn', or 'left' for what is not answered. */
  part: string;
  label: string;
  count: number;
}

const ANSWERED: StudyKindInfo["outcomes"][number] = { name: "answered", label: "answered", title: "Answered", verb: "are sure", icon: Check, tone: "good" };

/** The kind's outcomes, or those that are counted while results are not shown. */
function countedOutcomes({ outcomes }: StudyKindInfo, counts: OutcomeCounts | undefined): StudyKindInfo["outcomes"] {
  if (!counts || !(ANSWERED.name in counts)) return outcomes;
  return [ANSWERED, ...outcomes.filter(({ name }) => name in counts)];
}

/** How a batch's expected answers are distributed; the parts add up to all of them. */
export function distributionParts(info: StudyKindInfo, batch: DashboardBatch): DistributionPart[] {
  const answered = countedOutcomes(info, batch.outcomes).map(({ name, title, tone }, position) => ({
    part: tone === "warn" ? tone : String(position + 1),
    label: title.toLowerCase(),
    count: batch.outcomes[name] ?? 0,
  }));
  return [...answered, { part: "left", label: "not answered", count: Math.max(0, batch.expected - batch.answered) }];
}

export function hasAnswers(batch: DashboardBatch): boolean {
  return batch.answered > 0;
}

/** The batches that the chart leaves out, or nothing. */
export function unansweredBatchesText(batches: DashboardBatch[]): string {
  const numbers = batches.filter((batch) => !hasAnswers(batch)).map((batch) => batch.number);
  return numbers.length === 0 ? "" : `No answers yet in ${batchesLabel(numbers)}.`;
}

export function distributionText(info: StudyKindInfo, batch: DashboardBatch): string {
  return distributionParts(info, batch).filter((part) => part.count > 0).map((part) => `${formatCount(part.count)} ${part.label}`)
    .join(", ");
}

/** The chart in one or two sentences. */
export function overallDistributionText(info: StudyKindInfo, batches: DashboardBatch[]): string {
  const total = (count: (batch: DashboardBatch) => number) => batches.reduce((sum, batch) => sum + count(batch), 0);
  const answered = total((batch) => batch.answered);
  const left = total((batch) => batch.expected) - answered;
  const skipped = total((batch) => batch.outcomes.skipped ?? 0);
  if (answered === 0) return "No answers yet.";
  const outcomes = countedOutcomes(info, batches[0]?.outcomes);
  const shares = outcomes.map(({ name, verb }) => ({ verb, count: total((batch) => batch.outcomes[name] ?? 0) }))
    .filter(({ count }) => count > 0).map(({ verb, count }) => `${formatPercent(count / answered)} ${verb}`);
  const done = `Of ${formatPlural(answered, "answer")}, ${formatList(shares)}.`;
  if (left === 0) return `${done} No questions are left.`;
  return `${done} ${formatCount(left)} ${left === 1 ? "is" : "are"} left, ${skipped ? formatCount(skipped) : "none"} of them skipped.`;
}

/** The share that the kind shows for each row, or why it has none. */
export function shareLabel({ dashboard }: StudyKindInfo, row: { answered: number; shares: Measure[] }): string {
  const value = shareValue(row.shares, dashboard.share?.name);
  if (value !== null) return formatPercent(value);
  if (row.answered === 0) return "not yet";
  return isShareHidden(dashboard, [row]) ? NOT_SHOWN.text : (dashboard.share?.missingLabel ?? "");
}

/** Whether the server leaves it out, because it shows how questions were answered. */
export function isShareHidden({ share }: StudyKindInfo["dashboard"], rows: { shares: Measure[] }[]): boolean {
  return Boolean(share) && rows.some(({ shares }) => !shares.some(({ name }) => name === share?.name));
}

export function shareValue(shares: Measure[], name: string | undefined): number | null {
  return shares.find((share) => share.name === name)?.value ?? null;
}

export function durationLabel(ms: number | null): string {
  return ms === null ? "not yet" : formatDuration(ms);
}

export function expertNames(people: { name: string; is_simulated: boolean }[]): string {
  return people.map((person) => expertName(person)).join(", ");
}

/** Marks simulated experts whose name does not show it. */
export function expertName({ name, is_simulated: simulated }: { name: string; is_simulated: boolean }): string {
  const shown = name || "an expert without a name";
  return simulated && !/simulated/i.test(shown) ? `${shown} (simulated)` : shown;
}
