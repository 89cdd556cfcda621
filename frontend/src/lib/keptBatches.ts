import type { Assignment, BatchAssignments, ExpertBatch, Id, State } from "@/api/contract";
import { kept, overlay, type KeptResponse, type QueuedWrite } from "./offline";

/** Her batches as this device knows them: those that were opened here, with what she did since. */
export async function readKeptBatches(account: Id): Promise<ExpertBatch[]> {
  const device = await kept();
  const [batches, responses, queue] = await Promise.all([
    device.batches(account),
    device.responses(account),
    device.writes(account),
  ]);
  return batches.map((data) => summary(data, responses, queue)).toSorted((one, other) => one.number - other.number);
}

function summary({ batch, total, assignments }: BatchAssignments, responses: KeptResponse[], queue: QueuedWrite[]) {
  const known = assignments.map((one) => asKnown(one, responses, queue));
  // What counts is the newest submission, as at the server: one that is being revised counts as it was.
  const counted = (state: State) => known.filter(({ submitted }) => submitted?.state === state).length;
  const [confirmed, changed, not_sure] = [counted("confirmed"), counted("changed"), counted("not_sure")];
  return {
    ...batch,
    // Only a batch whose introduction she has agreed to was ever read.
    study: { ...batch.study, consent_needed: false },
    total,
    answered: confirmed + changed + not_sure,
    confirmed,
    changed,
    not_sure,
    skipped: counted("skipped"),
    drafts: known.filter(({ state }) => state === "draft").length,
    // The server alone knows how long each answer took.
    median_active_ms: null,
    expected_left_ms: null,
  };
}

/** The server's newest word, and over it what waits to be sent. */
function asKnown({ id, response }: Assignment, responses: KeptResponse[], queue: QueuedWrite[]) {
  const newer = responses.find((one) => one.assignment === id && one.response.version > response.version);
  return overlay(
    newer?.response ?? response,
    queue.filter(({ assignment }) => assignment === id),
  );
}
