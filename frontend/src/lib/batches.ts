import { queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { ExpertBatch, Id } from "@/api/contract";

export const batchesQuery = queryOptions({
  queryKey: ["batches"],
  queryFn: async () => (await call<{ results: ExpertBatch[] }>("/api/v1/batches")).results,
});

export type BatchState = "not begun" | "begun" | "done" | "closed";

export function batchState(batch: ExpertBatch): BatchState {
  if (batch.study.status === "closed") return "closed";
  if (batch.answered >= batch.total) return "done";
  return batch.answered + batch.skipped + batch.drafts > 0 ? "begun" : "not begun";
}

/** Its own name, else the number of its file. */
export function nameOf(batch: Pick<ExpertBatch, "name" | "number">): string {
  return batch.name || `Batch ${batch.number}`;
}

/** Where to rank next: the batch that is under way, else the first that is not done. */
export function nextBatch(batches: ExpertBatch[], study?: Id): ExpertBatch | undefined {
  const open = batches.filter(
    (batch) => (!study || batch.study.id === study) && ["begun", "not begun"].includes(batchState(batch)),
  );
  return open.find((batch) => batchState(batch) === "begun") ?? open[0];
}
