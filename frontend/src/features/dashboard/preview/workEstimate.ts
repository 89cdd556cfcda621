import { formatDuration, formatPlural } from "@/lib/format";

/** What an expert is expected to take for a question before anybody has answered. */
const EXPECTED_MS = 45_000;

/** '93 questions × 45 s × 3 experts: 3 h 29 min in all, 1 h 10 min for each expert.' */
export function workEstimate(questions: number, experts: number): string {
  if (questions === 0) return "No questions, so no time.";
  const each = questions * EXPECTED_MS;
  const factors = `${formatPlural(questions, "question")} × ${EXPECTED_MS / 1000} s × ${formatPlural(experts, "expert")}`;
  if (experts === 1) return `${factors}: about ${formatDuration(each)}.`;
  return `${factors}: about ${formatDuration(experts * each)} in all, ${formatDuration(each)} for each expert.`;
}
