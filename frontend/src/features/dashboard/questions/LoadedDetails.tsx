import type { Id } from "@/api/contract";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import { QuestionDetails } from "./QuestionDetails";
import { useStudyQuestions } from "./questionQueries";

/** The answers to one question, which the server records as read. */
export function LoadedDetails({ info, study, question }: { info: StudyKindInfo; study: Id; question: Id }) {
  const query = useStudyQuestions(study, { question });
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={3} height={56} />}>
      {(page) => page.results.map((row) => row.question_id === question && <QuestionDetails key={question} info={info} study={page.study} question={row} />)}
    </QueryBoundary>
  );
}
