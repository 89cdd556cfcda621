/** The answer of a study of hypothesis pairs: the one place in the pages that names its fields. */
import type { Item } from "@/api/contract";
import { lineDifferences, lineTexts, type AnswerLine } from "@/domains/studies/answerLines";
import type { AnswerDifference, SubmissionInfo } from "@/domains/studies/studyKind";
import { choiceLabel } from "./choices";

/** 'a' stands on the left. */
export type Side = "a" | "b";

export type Choice = "a_much" | "a" | "tie" | "b" | "b_much" | "both_bad" | "not_sure";

/** The sentence that decided: of a rationale or the background, and its place there, from 0. */
export type DecidingSentence = { id: Side | "background"; sentence: number };

export type PairAnswer = { choice: Choice | null; because: DecidingSentence | null; comment: string };

export interface ShownHypothesis {
  id: Side;
  hypothesis: string;
  /** Of its rationale. */
  sentences: string[];
}

/** Without `background_sentences` where it was stored on the device before there were any. */
export type PairItem = Item & { background: string; background_sentences?: string[]; hypotheses: ShownHypothesis[] };

export const emptyAnswer = (): PairAnswer => ({ choice: null, because: null, comment: "" });

export const isSameSentence = (left: DecidingSentence | null, right: DecidingSentence | null) =>
  left?.id === right?.id && left?.sentence === right?.sentence;

export const isSameAnswer = (left: PairAnswer, right: PairAnswer) =>
  left.choice === right.choice && left.comment === right.comment && isSameSentence(left.because, right.because);

const verdictOf = (choice: Choice) => choice.replace("_much", "");

export function submissionOf({ choice }: PairAnswer): SubmissionInfo {
  const info = { step: "submitted", isAgreement: false };
  if (choice === null) return { ...info, outcome: "", label: "Choose first", isIncomplete: true };
  return { ...info, outcome: verdictOf(choice), label: "Submit my choice" };
}

/** No sentence decided for an expert who is not sure. */
export const forSubmission = (answer: PairAnswer, outcome: string): PairAnswer =>
  outcome === "not_sure" ? { ...answer, because: null } : answer;

export function sentencesOf(item: PairItem, id: DecidingSentence["id"]): string[] {
  return (id === "background" ? item.background_sentences : item.hypotheses.find((one) => one.id === id)?.sentences) ?? [];
}

export const sentenceText = (item: PairItem, { id, sentence }: DecidingSentence) => sentencesOf(item, id)[sentence]?.trim() ?? "";

/** '“Aspirin inhibits COX-2.” (A)', or empty. */
export const becauseText = (item: PairItem, { because }: PairAnswer) =>
  because ? `“${sentenceText(item, because)}” (${because.id === "background" ? because.id : because.id.toUpperCase()})` : "";

export function answerLines(item: PairItem, answer: PairAnswer): AnswerLine[] {
  return [
    ["Choice", answer.choice === null ? "" : choiceLabel(answer.choice)],
    ["Because", becauseText(item, answer)],
    ["Comment", answer.comment],
  ];
}

export function answerDifferences(item: PairItem, local: PairAnswer, saved: PairAnswer): AnswerDifference[] {
  return lineDifferences(answerLines(item, local), answerLines(item, saved));
}

export const summarizeAnswer = (item: PairItem, answer: PairAnswer): string[] =>
  lineTexts(answerLines(item, answer));

/** 'Better' or 'Much better' for the side that was chosen. */
export function betterLabel(choice: Choice | null, side: Side): string {
  if (choice === side) return "Better";
  return choice === `${side}_much` ? "Much better" : "";
}
