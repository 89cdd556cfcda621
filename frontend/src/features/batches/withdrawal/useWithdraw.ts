import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { request } from "@/api/client";
import type { ExpertBatch, Id } from "@/api/contract";
import { batchesQuery } from "@/domains/studies/batches";
import type { WithdrawalState } from "@/domains/studies/WithdrawalStatus";
import { currentUserQuery, useCurrentUser } from "@/lib/currentUser";
import { isNotFound } from "@/lib/errorMessages";
import { formatPlural } from "@/lib/format";
import { engineFor, type QueuedWrite, type SyncEngine } from "@/lib/offline";
import { useMutation } from "@/lib/useMutation";

/** Answers on this device that the server would not accept after the withdrawal. */
export class UnsentAnswersError extends Error {}

/** Leaves a study, with or without the answers; those that were not sent are never lost by keeping them. */
export function useWithdraw({ id, name }: ExpertBatch["study"], onDone: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const account = useCurrentUser()?.id ?? "";
  return useMutation({
    mutationFn: async (withAnswers: boolean) => {
      const rows = queries.getQueryData(batchesQuery.queryKey) ?? [];
      const batches = new Set(rows.filter((batch) => batch.study.id === id).map((batch) => batch.id));
      const engine = await engineFor(account);
      if (!withAnswers) await sendAll(engine, batches);
      await postWithdrawal(id, withAnswers);
      await engine.discard(ofBatches(engine, batches).map(({ resource }) => resource));
    },
    onSuccess: async () => {
      onDone();
      const hasOthers = queries.getQueryData(batchesQuery.queryKey)?.some((batch) => batch.study.id !== id);
      const state: WithdrawalState = { withdrawnFrom: name };
      if (!hasOthers) await navigate("/account", { state });
      await Promise.all([batchesQuery.queryKey, currentUserQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
      if (hasOthers) await navigate("/home", { state, replace: true });
    },
  });
}

const ofBatches = (engine: SyncEngine, batches: ReadonlySet<Id>) => engine.state.queue.filter(({ batch }) => batches.has(batch));

/** A closed study accepts nothing more, whether the expert stays or not. */
const canBeSent = ({ blocked }: QueuedWrite) => blocked?.kind !== "closed";

async function sendAll(engine: SyncEngine, batches: ReadonlySet<Id>): Promise<void> {
  if (ofBatches(engine, batches).length > 0) await engine.sendNow();
  const waiting = ofBatches(engine, batches).filter(canBeSent);
  if (waiting.length === 0) return;
  const answers = formatPlural(new Set(waiting.map(({ resource }) => resource)).size, "answer");
  if (waiting.some(({ blocked }) => blocked === null)) throw new UnsentAnswersError(`Not sent from this device: ${answers}. Connect first.`);
  throw new UnsentAnswersError(`Not accepted by the server: ${answers}. Open them and decide first, or withdraw them too.`);
}

/** Not found: an earlier request succeeded, and its response was lost. */
async function postWithdrawal(study: Id, withAnswers: boolean): Promise<void> {
  try {
    await request<void>(`/api/v1/studies/${study}/withdrawal`, { method: "POST", json: { with_answers: withAnswers } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
