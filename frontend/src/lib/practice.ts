import { queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { PracticeQuestion } from "@/api/contract";

export const practiceQuery = queryOptions({
  queryKey: ["practice-question"],
  queryFn: () => call<PracticeQuestion>("/api/v1/practice-question"),
  staleTime: Number.POSITIVE_INFINITY,
});
