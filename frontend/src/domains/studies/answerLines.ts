import type { AnswerDifference } from "./studyKind";

/** As the server has it. */
export const MAX_COMMENT_LENGTH = 10_000;

/** A part of an answer, as text; empty where there is none. */
export type AnswerLine = [label: string, text: string];

/** Both answers have the same parts. */
export const lineDifferences = (local: AnswerLine[], saved: AnswerLine[]): AnswerDifference[] =>
  local.map(([label, text], at) => lineDifference(label, text, saved[at]?.[1] ?? ""));

export const lineDifference = (label: string, local: string, saved: string): AnswerDifference => ({
  label,
  local: local || "none",
  saved: saved || "none",
  isDifferent: local !== saved,
});

export const lineTexts = (lines: AnswerLine[]): string[] => lines.map(([label, text]) => `${label}: ${text || "none"}`);
