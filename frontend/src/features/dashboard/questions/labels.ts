import type { StudyQuestion } from "@/api/contract";
import { batchName } from "@/domains/studies/batches";
import type { MeasureInfo, StudyKindInfo } from "@/domains/studies/studyKind";
import { formatCount, formatPercent, formatPlural } from "@/lib/format";
import { findStudyKind } from "@/study-kinds/registry";
import { shareValue } from "../labels";

/** 'Cancer, question 14'; numbers repeat from batch to batch. */
export function questionPlace({ batch, number }: Pick<StudyQuestion, "batch" | "number">): string {
  return `${batchName(batch)}, question ${number}`;
}

/** 'flagged', 'adjudicated': what a coordinator did or has to do. */
export function marksOf(question: StudyQuestion): string[] {
  const { is_flagged: isFlagged, is_to_adjudicate: isWaiting, adjudication, excluded } = question;
  return [
    isFlagged && "flagged",
    adjudication ? "adjudicated" : isWaiting && "waits for adjudication",
    excluded !== null && "excluded",
  ].filter((mark) => mark !== false);
}

/** '3 agreed, 1 order changed, 2 skipped'. */
export function answersText({ outcomes }: StudyKindInfo, question: StudyQuestion): string {
  if (question.is_blind) return "Hidden until you submit your adjudication.";
  if (question.assigned === 0) return "Nobody is assigned.";
  const counted = [...outcomes, { name: "skipped", label: "skipped" }]
    .map(({ name, label }) => ({ label, count: question.outcomes[name] ?? 0 }))
    .filter(({ count }) => count > 0);
  const done = `${formatCount(question.answered)} of ${formatPlural(question.assigned, "expert")} answered`;
  return [done, ...counted.map(({ label, count }) => `${formatCount(count)} ${label}`)].join(", ");
}

/** Why answers have no order, each reason once: 'the question is unclear (2)'. */
export function reasonsText(kind: string, { answers }: StudyQuestion): string {
  const counts = new Map<string, number>();
  for (const { payload, outcome } of answers) {
    const detail = findStudyKind(kind)?.outcomeDetail(payload, outcome) ?? "";
    if (detail) counts.set(detail, (counts.get(detail) ?? 0) + 1);
  }
  return [...counts].map(([detail, count]) => (count > 1 ? `${detail} (${count})` : detail)).join(", ");
}

/** The value of a measure on one question, or why there is none. */
export function measureText({ measures }: StudyQuestion, { name, format, missing }: MeasureInfo): { text: string; value: number | null } {
  const measure = measures.find((one) => one.name === name);
  const value = measure?.value ?? null;
  if (value !== null) return { text: format(value), value };
  return { text: (missing.reasons[measure?.reason ?? ""] ?? missing.tooFew).text, value };
}

export function shareText({ dashboard: { share } }: StudyKindInfo, { shares }: StudyQuestion): string {
  const value = shareValue(shares, share?.name);
  return value === null ? "" : `${formatPercent(value)} ${share?.heading.toLowerCase()}`;
}
