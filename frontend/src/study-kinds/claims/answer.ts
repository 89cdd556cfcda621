/** The answer of a study of claims: the one place in the pages that names its fields. */
import type { Item } from "@/api/contract";
import { lineDifferences, lineTexts, type AnswerLine } from "@/domains/studies/answerLines";
import { hasSameMarks } from "@/domains/studies/marks/marks";
import { edgeText, type Edge, type PassageMark, type ShownDocument } from "@/domains/studies/marks/passages";
import type { AnswerDifference, SubmissionInfo } from "@/domains/studies/studyKind";
import { verdictLabel, type Verdict } from "./verdicts";

export type ClaimAnswer = { verdict: Verdict | null; because: PassageMark[]; comment: string };

export type ClaimItem = Item & { documents: ShownDocument[]; edges: Edge[]; is_because_required: boolean };

export const NO_EVIDENCE = "No document or edge was found for this claim.";

export const emptyAnswer = (): ClaimAnswer => ({ verdict: null, because: [], comment: "" });

export const isSameAnswer = (left: ClaimAnswer, right: ClaimAnswer) =>
  left.verdict === right.verdict &&
  left.comment === right.comment &&
  hasSameMarks(left.because, right.because);

/** Whether the verdict stands only with a sentence or edge that decides. */
export const needsMark = (item: ClaimItem, { verdict, because }: ClaimAnswer) =>
  item.is_because_required && !because.length && (verdict === "supported" || verdict === "contradicted");

export function submissionOf(item: ClaimItem, answer: ClaimAnswer): SubmissionInfo {
  const info = { step: "submitted", isAgreement: false, outcome: answer.verdict ?? "" };
  if (answer.verdict === null) return { ...info, label: "Choose first", isIncomplete: true };
  if (needsMark(item, answer)) return { ...info, label: "Mark what decides", isIncomplete: true };
  return { ...info, label: "Submit my verdict" };
}

/** Nothing decided for an expert who is not sure. */
export const forSubmission = (answer: ClaimAnswer, outcome: string): ClaimAnswer =>
  outcome === "not_sure" ? { ...answer, because: [] } : answer;

export function markText({ documents, edges }: ClaimItem, { document, number }: PassageMark): string {
  if (document !== null) return documents.find(({ id }) => id === document)?.sentences[number]?.trim() ?? "";
  const edge = edges[number];
  return edge ? edgeText(edge) : "";
}

/** '“Imatinib inhibits BCR-ABL.”, “It treats CML.”', or empty. */
export const becauseText = (item: ClaimItem, { because }: ClaimAnswer) =>
  because.map((mark) => `“${markText(item, mark)}”`).join(", ");

export function answerLines(item: ClaimItem, answer: ClaimAnswer): AnswerLine[] {
  return [
    ["Verdict", answer.verdict === null ? "" : verdictLabel(answer.verdict)],
    ["Because", becauseText(item, answer)],
    ["Comment", answer.comment],
  ];
}

export function answerDifferences(item: ClaimItem, local: ClaimAnswer, saved: ClaimAnswer): AnswerDifference[] {
  return lineDifferences(answerLines(item, local), answerLines(item, saved));
}

export const summarizeAnswer = (item: ClaimItem, answer: ClaimAnswer): string[] =>
  lineTexts(answerLines(item, answer));
