import type { ExpertBatch, Id, StudyStatus } from "@/api/contract";
import { readListQuery } from "@/lib/readQuery";

export const batchesQuery = readListQuery<ExpertBatch>(["batches"], "/api/v1/batches");

type BatchState = "not begun" | "begun" | "done" | "paused" | "closed";

/** Its answers are final. */
export const hasEnded = (status: StudyStatus) => status === "closed" || status === "frozen";

export function batchState(batch: ExpertBatch): BatchState {
  if (hasEnded(batch.study.status)) return "closed";
  if (batch.study.status === "paused") return "paused";
  if (batch.answered >= batch.total) return "done";
  return batch.answered + skippedCount(batch) + batch.drafts > 0 ? "begun" : "not begun";
}

/** How many questions were skipped and come again at the end. */
export const skippedCount = ({ outcomes }: Pick<ExpertBatch, "outcomes">) => outcomes.skipped ?? 0;

/** Its own name, else the number of its file. */
export function batchName(batch: Pick<ExpertBatch, "name" | "number">): string {
  return batch.name || `Batch ${batch.number}`;
}

/** Where to continue: the batch that is under way, else the first that is not done. */
export function nextBatch(batches: ExpertBatch[], study?: Id): ExpertBatch | undefined {
  const open = batches.filter(
    (batch) => (!study || batch.study.id === study) && ["begun", "not begun"].includes(batchState(batch)),
  );
  return open.find((batch) => batchState(batch) === "begun") ?? open[0];
}

/** The question that opens when a batch continues: the first open one, else the first skipped one. */
export function nextMark({ marks }: Pick<ExpertBatch, "marks">): ExpertBatch["marks"][number] | undefined {
  return marks.find(({ status }) => status === "untouched" || status === "draft") ?? marks.find(({ status }) => status === "skipped");
}

/** Where to continue: the introduction before consent, else the batch that is next; home where nothing is left. */
export function nextPath(batches: ExpertBatch[], study?: Id): string {
  const next = nextBatch(batches, study);
  if (!next) return "/home";
  return next.study.to_read ? `/studies/${next.study.id}/introduction` : `/rank/${next.id}`;
}
