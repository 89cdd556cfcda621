/** The answer of a check: levels on scales, and a better wording beside the original. */
import type { AnswerLine } from "@/domains/studies/answerLines";
import { emptyAnswer as emptyLevels, isSameAnswer as isSameLevels, type ScaledAnswer, type ScaledItem } from "@/domains/studies/scales/scaledAnswer";

export type QuestionCheckItem = ScaledItem & { pattern: string; answers: string[] };

/** correction: empty where the wording stays. */
export type QuestionCheckAnswer = ScaledAnswer & { correction: string };

export const emptyAnswer = (item: QuestionCheckItem): QuestionCheckAnswer => ({ ...emptyLevels(item), correction: "" });

export const isSameAnswer = (left: QuestionCheckAnswer, right: QuestionCheckAnswer) => isSameLevels(left, right) && left.correction === right.correction;

/** What is left of the field: the original wording, and an empty field, correct nothing. */
export const correctionOf = ({ text }: QuestionCheckItem, written: string) => (written === text || !written.trim() ? "" : written);

export const correctionLines = ({ correction }: QuestionCheckAnswer): AnswerLine[] => [["Corrected wording", correction]];
