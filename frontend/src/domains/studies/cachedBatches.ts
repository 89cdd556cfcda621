import type { Assignment, BatchAssignments, ExpertBatch, Id, OutcomeCounts, Response } from "@/api/contract";
import { sharedStore, applyQueuedWrites, type StoredResponse, type QueuedWrite } from "@/lib/offline";
import { isAnswer } from "./studyKind";

/** The batches that were opened on this device, with the changes made since. */
export async function readCachedBatches(account: Id): Promise<ExpertBatch[]> {
  const store = await sharedStore();
  const [batches, responses, queue] = await Promise.all([
    store.readBatches(account),
    store.readResponses(account),
    store.readWrites(account),
  ]);
  return batches.map((data) => summarizeBatch(data, responses, queue)).toSorted((left, right) => left.number - right.number);
}

function summarizeBatch(
  { batch, total, available = 0, assignments }: BatchAssignments,
  responses: StoredResponse[],
  queue: QueuedWrite[],
): ExpertBatch {
  const current = assignments.map((assignment) => withQueuedWrites(assignment, responses, queue));
  // As at the server, the newest submission counts: an answer that is being revised counts as it was.
  const submitted = current.flatMap((response) => response.submitted?.outcome ?? []);
  return {
    ...batch,
    // A batch can only be read after its introduction was agreed to.
    study: { ...batch.study, ...ONLINE_ONLY, to_read: null, qualification: null },
    total: total + available,
    answered: submitted.filter(isAnswer).length,
    outcomes: countOutcomes(submitted),
    marks: assignments.map(({ item }, at) => markOf(item.number, current[at])).toSorted((left, right) => left.number - right.number),
    drafts: current.filter(({ status }) => status === "draft").length,
    // Only the server has the times of all answers.
    median_active_ms: null,
    expected_left_ms: null,
  };
}

/** What only the server has of a study. */
const ONLINE_ONLY = { description: "", contact: "", closes_on: null, coordinators: [] };

function markOf(number: number, response: Response | undefined): ExpertBatch["marks"][number] {
  return { number, status: response?.status ?? "untouched", outcome: response?.submitted?.outcome ?? "" };
}

function countOutcomes(submitted: string[]): OutcomeCounts {
  const counts: OutcomeCounts = {};
  for (const outcome of submitted) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The server's newest response, with the queued writes applied. */
function withQueuedWrites({ id, response }: Assignment, responses: StoredResponse[], queue: QueuedWrite[]): Response {
  const newer = responses.find((stored) => stored.resource === id && stored.response.version > response.version);
  return applyQueuedWrites(newer?.response ?? response, queue.filter(({ resource }) => resource === id));
}
