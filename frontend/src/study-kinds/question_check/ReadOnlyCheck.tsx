import { ReadOnlyScales } from "@/domains/studies/scales/ReadOnlyScales";
import type { ReadOnlyProps } from "@/domains/studies/studyKind";
import { correctionLines, type QuestionCheckAnswer, type QuestionCheckItem } from "./answer";
import { QuestionSource } from "./QuestionSource";

export function ReadOnlyCheck({ item, answer }: ReadOnlyProps<QuestionCheckItem, QuestionCheckAnswer>) {
  return <ReadOnlyScales item={item} answer={answer} extra={correctionLines(answer)}><QuestionSource item={item} /></ReadOnlyScales>;
}
