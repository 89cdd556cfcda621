import { AnswerLines } from "@/domains/studies/answer-board/AnswerLines";
import type { ComparisonProps } from "@/domains/studies/studyKind";
import type { WrittenQueryAnswer, WrittenQueryItem } from "./answer";

/** What each expert wrote about the entity. */
export function QueryComparison({ answers }: ComparisonProps<WrittenQueryItem, WrittenQueryAnswer>) {
  return <AnswerLines lines={answers.map(({ name, payload }) => [name, payload.is_impossible ? "None is possible" : payload.query])} />;
}
