/** The answer of a ranking study: the one place in the pages that names its fields. */
import type { Id, Item, Json } from "@/api/contract";
import { lineDifference, lineDifferences, MAX_COMMENT_LENGTH, type AnswerLine } from "@/domains/studies/answerLines";
import type { AnswerDifference, AnswerStep, AnswerUpdate, SubmissionInfo } from "@/domains/studies/studyKind";
import { hasSameMarks, toggleMark, type EvidenceMark } from "@/domains/studies/marks/marks";
import { toStorableText } from "@/lib/offline/writeLimits";
import { formatInSentence } from "@/lib/format";
import { orderLines } from "./board/labels";
import { competitionRanks, isSameOrder, isTied, startOrder, type Ranking } from "./board/rankingModel";
import type { BoardCandidate } from "./board/types";
import { REASON_LABELS, UNSURE_REASON_LABELS } from "./labels";

export type RankingAnswer = {
  ranking: Ranking;
  confidence: number | null;
  reasons: string[];
  comment: string;
  unsure_reason: string;
  /** What decided; absent where nothing is marked. */
  because?: EvidenceMark[];
};

/** Without `prior`, no order is shown: the candidates come shuffled, and any order can be submitted. */
export type RankingItem = Item & { candidates: BoardCandidate[]; prior?: Ranking };

const ORDER_OUTCOMES = ["confirmed", "changed", "ranked"];

/** Whether an answer with this outcome has an order. */
export const hasOrder = (outcome: string) => ORDER_OUTCOMES.includes(outcome);

export const emptyAnswer = (item: RankingItem): RankingAnswer => ({
  ranking: startOrder(item),
  confidence: null,
  reasons: [],
  comment: "",
  unsure_reason: "",
});

export const orderOf = ({ ranking }: RankingAnswer) => ranking;

export const withOrder = (ranking: Ranking): AnswerUpdate<RankingAnswer> => (answer) => ({ ...answer, ranking });

/** What an expert can add to the order. */
export interface RemarkValues {
  sureness: number | null;
  tags: string[];
  text: string;
}

const REMARK_FIELDS = { sureness: "confidence", tags: "reasons", text: "comment" } as const;

export const remarksOf = ({ confidence, reasons, comment }: RankingAnswer): RemarkValues => ({ sureness: confidence, tags: reasons, text: comment });

/** The change of one remark, and the step that records it. */
export function remarkChange<Name extends keyof RemarkValues>(
  answer: RankingAnswer,
  name: Name,
  value: RemarkValues[Name],
): [AnswerUpdate<RankingAnswer>, AnswerStep] {
  const field = REMARK_FIELDS[name];
  return [(latest) => ({ ...latest, [field]: value }), { kind: field, old: answer[field], new: value, isContinued: name === "text" }];
}

/** Without a prior every order has the same outcome; one that was not changed is confirmed as the expert's own. */
export function submissionInfo(item: RankingItem, { ranking }: RankingAnswer): SubmissionInfo {
  const isStart = isSameOrder(ranking, startOrder(item));
  const own = { label: "Submit my order", step: "submitted", isAgreement: false };
  if (!item.prior) return { ...own, outcome: "ranked", ...(isStart && { label: "This is my order", isAgreement: true }) };
  if (!isStart) return { ...own, outcome: "changed" };
  return { outcome: "confirmed", label: "I agree with this order", step: "agreed", isAgreement: true };
}

/** Candidates of a tie, and reasons, have no order. */
export function isSameAnswer(left: RankingAnswer, right: RankingAnswer): boolean {
  return isSameOrder(left.ranking, right.ranking) && restKey(left) === restKey(right) && hasSameMarks(marksOf(left), marksOf(right));
}

const NO_MARKS: EvidenceMark[] = [];

export const marksOf = ({ because }: RankingAnswer): EvidenceMark[] => because ?? NO_MARKS;

export const withMark = (mark: EvidenceMark): AnswerUpdate<RankingAnswer> => (answer) => ({ ...answer, because: toggleMark(marksOf(answer), mark) });

/** 'Cold is treated by Zinc', or the name of a link of the question. */
export const markText = ({ resources }: RankingItem, mark: EvidenceMark) =>
  mark.type === "resource" ? (resources[mark.number]?.name ?? "") : mark.text;

const restKey = ({ confidence, reasons, comment, unsure_reason }: RankingAnswer) =>
  JSON.stringify([confidence, [...new Set(reasons)].toSorted(), comment, unsure_reason]);

/** Only 'not sure' has a reason for it. */
export function forSubmission(answer: RankingAnswer, outcome: string): RankingAnswer {
  return outcome === "not_sure" ? answer : { ...answer, unsure_reason: "" };
}

/** A comment that was written with it follows the one that is there. */
export const notSureBecause = (reason: string, comment = ""): AnswerUpdate<RankingAnswer> => (answer) => ({
  ...answer,
  unsure_reason: reason,
  comment: toStorableText([answer.comment, comment.trim()].filter(Boolean).join("\n").slice(0, MAX_COMMENT_LENGTH)),
});

export const submissionDetail = ({ ranking, unsure_reason }: RankingAnswer): Json => ({ ranking, unsure_reason });

export const unsureDetail = (answer: RankingAnswer, outcome: string) =>
  outcome === "not_sure" ? formatInSentence(unsureLabel(answer)) : "";

export function answerDifferences(item: RankingItem, local: RankingAnswer, saved: RankingAnswer): AnswerDifference[] {
  const names = new Map(item.candidates.map(({ id, name }) => [id, name]));
  const order = local.ranking.flat()
    .map((id) => lineDifference(names.get(id) ?? id, rankLabel(local.ranking, id), rankLabel(saved.ranking, id)));
  const remarks = lineDifferences(remarkLines(item, local), remarkLines(item, saved));
  const isUnsure = local.unsure_reason !== "" || saved.unsure_reason !== "";
  return [...order, ...remarks, ...(isUnsure ? [lineDifference("Not sure", unsureLabel(local) || "no", unsureLabel(saved) || "no")] : [])];
}

export function summarizeAnswer(item: RankingItem, answer: RankingAnswer): string[] {
  const { ranking, comment } = answer;
  const [confidence, reasons, because] = remarkLines(item, answer);
  return [
    ...orderLines(ranking, item.candidates),
    ...[confidence, reasons].map((line) => `${line?.[0]}: ${line?.[1] || "none"}`),
    ...(because?.[1] ? [`Because: ${because[1]}`] : []),
    ...(unsureLabel(answer) ? [`Not sure: ${unsureLabel(answer)}`] : []),
    ...(comment ? [`Comment: ${comment}`] : []),
  ];
}

/** What was answered beside the order: how confident, why, because of what, and in free text; empty where nothing was. */
export function remarkLines(item: RankingItem, answer: RankingAnswer): AnswerLine[] {
  const { confidence, reasons, comment } = answer;
  const labels = Object.entries(REASON_LABELS).filter(([code]) => reasons.includes(code));
  return [
    ["Confidence", confidence === null ? "" : `${confidence} of 5`],
    ["Reasons", labels.map(([, label]) => label).join(", ")],
    ["Because", marksOf(answer).map((mark) => `“${markText(item, mark)}”`).join(", ")],
    ["Comment", comment],
  ];
}

/** '1', or '2, tied' for a candidate that shares its rank. */
function rankLabel(ranking: Ranking, id: Id): string {
  const rank = competitionRanks(ranking).get(id);
  if (rank === undefined) return "";
  return isTied(ranking, id) ? `${rank}, tied` : String(rank);
}

const unsureLabel = ({ unsure_reason: reason }: RankingAnswer) => UNSURE_REASON_LABELS[reason] ?? reason;
