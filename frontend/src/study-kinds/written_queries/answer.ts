/** The answer of a study of written queries: the one place in the pages that names its fields. */
import type { Item } from "@/api/contract";
import { lineDifferences, lineTexts, type AnswerLine } from "@/domains/studies/answerLines";
import type { Edge, ShownDocument } from "@/domains/studies/marks/passages";
import type { AnswerDifference, SubmissionInfo } from "@/domains/studies/studyKind";
import { findLeaks, namesOfAnswer } from "./leaks";

export type WrittenQueryAnswer = { query: string; is_impossible: boolean; comment: string };

export type WrittenQueryItem = Item & {
  answer: string;
  synonyms: string[];
  identifiers: string[];
  documents: ShownDocument[];
  edges: Edge[];
};

/** As the server has it. */
export const MAX_QUERY_LENGTH = 2_000;

export const emptyAnswer = (): WrittenQueryAnswer => ({ query: "", is_impossible: false, comment: "" });

export const isSameAnswer = (left: WrittenQueryAnswer, right: WrittenQueryAnswer) =>
  left.query === right.query && left.is_impossible === right.is_impossible && left.comment === right.comment;

/** What the answer is called, as far as the query contains it. */
export const leaksOf = (item: WrittenQueryItem, query: string) => findLeaks(query, namesOfAnswer(item));

export function submissionOf(item: WrittenQueryItem, { query, is_impossible }: WrittenQueryAnswer): SubmissionInfo {
  const info = { step: "submitted", isAgreement: false };
  if (is_impossible) return { ...info, outcome: "impossible", label: "Submit: none is possible" };
  const incomplete = { ...info, outcome: "written", isIncomplete: true };
  if (!query.trim()) return { ...incomplete, label: "Write a query first" };
  if (leaksOf(item, query).length) return { ...incomplete, label: "Remove the name first" };
  return { ...info, outcome: "written", label: "Submit my query" };
}

/** No query beside the statement that none is possible. */
export const forSubmission = (answer: WrittenQueryAnswer, outcome: string): WrittenQueryAnswer =>
  outcome === "impossible" ? { ...answer, query: "" } : answer;

export const answerLines = ({ query, is_impossible, comment }: WrittenQueryAnswer): AnswerLine[] => [
  ["Query", is_impossible ? "None is possible" : query],
  ["Comment", comment],
];

export const answerDifferences = (_: WrittenQueryItem, local: WrittenQueryAnswer, saved: WrittenQueryAnswer): AnswerDifference[] =>
  lineDifferences(answerLines(local), answerLines(saved));

export const summarizeAnswer = (_: WrittenQueryItem, answer: WrittenQueryAnswer): string[] => lineTexts(answerLines(answer));
