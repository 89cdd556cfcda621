import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { call, Unreachable } from "@/api/client";
import type { Assignment, BatchAssignments, Id, Response } from "@/api/contract";
import { kept, type Kept, overlay, type SyncEngine, useSyncState } from "@/lib/offline";

const newer = (one: Response, other: Response | undefined) =>
  other && other.version > one.version ? other : one;

async function withNewest(device: Kept, account: Id, data: BatchAssignments): Promise<BatchAssignments> {
  const newest = new Map((await orNothing(device.responses(account), [])).map((one) => [one.assignment, one.response]));
  const assignments = data.assignments.map((one) => ({
    ...one,
    response: newer(one.response, newest.get(one.id)),
  }));
  return { ...data, assignments };
}

/** A full or broken disk keeps nothing, and keeps nobody from her work. */
async function orNothing<Found>(asked: Promise<Found>, nothing: Found): Promise<Found> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DOMException) return nothing;
    throw error;
  }
}

/** So long a server that holds still keeps her from the batch that is on this device. */
const PATIENCE_MS = 8000;

/** The server's batch, kept for the next time; without the server the one that was kept. */
async function readBatch(account: Id, batch: Id): Promise<BatchAssignments> {
  const device = await kept();
  const before = await orNothing(device.batch(account, batch), null);
  try {
    const patience = before ? { timeoutMs: PATIENCE_MS } : {};
    const data = await call<BatchAssignments>(`/api/v1/batches/${batch}/assignments`, patience);
    await orNothing(device.keepBatch({ account, batch, data }), undefined);
    return await withNewest(device, account, data);
  } catch (error) {
    if (!before || !(error instanceof Unreachable)) throw error;
    return withNewest(device, account, before);
  }
}

export interface Batch {
  about: BatchAssignments["batch"];
  /** As the page shows them: what waits to be sent lies over what the server has. */
  assignments: Assignment[];
  /** The server's last word on one response. */
  saved: (assignment: Id) => Response | undefined;
}

export function useBatch(engine: SyncEngine | undefined, batchId: Id) {
  const query = useQuery({
    queryKey: ["batch", engine?.account, batchId],
    queryFn: () => readBatch(engine?.account ?? "", batchId),
    enabled: engine !== undefined,
    networkMode: "always",
    staleTime: Infinity,
    // Read anew whenever the page opens: what was answered since is not in what was read then.
    gcTime: 0,
  });
  const newest = useNewest(engine);
  const queue = useSyncState(engine)?.queue;
  const batch = useMemo((): Batch | undefined => {
    if (!query.data) return undefined;
    const saved = new Map(
      query.data.assignments.map((one) => [one.id, newer(one.response, newest.get(one.id))]),
    );
    const assignments = query.data.assignments.map((one) => ({
      ...one,
      response: overlay(
        saved.get(one.id) ?? one.response,
        (queue ?? []).filter((item) => item.assignment === one.id),
      ),
    }));
    return { about: query.data.batch, assignments, saved: (id) => saved.get(id) };
  }, [query.data, newest, queue]);
  return { batch, error: query.error, reload: () => void query.refetch() };
}

function useNewest(engine: SyncEngine | undefined): Map<Id, Response> {
  const [newest, setNewest] = useState(new Map<Id, Response>());
  useEffect(
    () =>
      engine?.listen(({ assignment, response }) => {
        if (response) setNewest((known) => new Map(known).set(assignment, response));
      }),
    [engine],
  );
  return newest;
}
