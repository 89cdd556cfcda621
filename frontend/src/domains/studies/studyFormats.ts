import { queryOptions } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { StudyFormat } from "@/api/contract";

/** Formats of whole studies; they change with the installation alone. */
export const studyFormatsQuery = queryOptions({
  queryKey: ["study-formats"],
  queryFn: async () => (await request<{ results: StudyFormat[] }>("/api/v1/study-formats")).results,
  staleTime: Infinity,
});
