import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Id, QuestionAction, StudyQuestionPage } from "@/api/contract";
import { dashboardKey } from "@/domains/studies/dashboardKey";
import { useMutation } from "@/lib/useMutation";

export const PAGE_SIZE = 25;

type QuestionQuery = Record<"order" | "search" | "batch" | "outcome" | "has_comment" | "state" | "rater" | "agreement_below" | "question" | "offset" | "with_answers", string>;

/** Without them a list shows nothing that makes an adjudication not blind. */
export const WITHOUT_ANSWERS = { with_answers: "false" } as const;

/** Below the dashboard's key: what makes that be read again does the same here. */
export function useStudyQuestions(study: Id, query: Partial<QuestionQuery>) {
  const entries = Object.entries(query).filter(([, value]) => value !== "");
  const search = new URLSearchParams(entries).toString();
  return useQuery({
    queryKey: [...dashboardKey(study), "questions", search],
    queryFn: ({ signal }) => request<StudyQuestionPage>(`/api/v1/studies/${study}/questions?${search}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** What is done to the selected questions; then everything of the study is read again. */
export function useDecide(study: Id) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (json: { action: QuestionAction; questions: Id[]; reason?: string }) =>
      request<{ changed: number }>(`/api/v1/studies/${study}/decisions`, { method: "POST", json }),
    onSettled: () => queries.invalidateQueries({ queryKey: dashboardKey(study) }),
  });
}
