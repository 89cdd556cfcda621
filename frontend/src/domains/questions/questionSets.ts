import type { QuestionSet } from "@/api/contract";
import { readListQuery } from "@/lib/readQuery";

export const QUESTION_SETS_URL = "/api/v1/question-sets";

export const questionSetsQuery = readListQuery<QuestionSet>(["question-sets"], QUESTION_SETS_URL, { staleTime: 60_000 });
