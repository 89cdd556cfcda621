import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { request, isUnavailable } from "@/api/client";
import type { Assignment, BatchAssignments, Id, Response, Sight, TakenAdjudication } from "@/api/contract";
import { sharedStore, type OfflineStore, applyQueuedWrites, type QueuedWrite, type SyncEngine, useSyncState } from "@/lib/offline";
import { useWhenTrue } from "@/lib/useWhenTrue";
import { isOpen } from "./progress";

const newer = (left: Response, right: Response | undefined) => (right && right.version > left.version ? right : left);

async function mergeNewest(device: OfflineStore, account: Id, data: BatchAssignments): Promise<BatchAssignments> {
  const stored = await fallbackOnError(device.readResponses(account), []);
  const newest = new Map(stored.map(({ resource, response }) => [resource, response]));
  const assignments = data.assignments.map((assignment) => ({
    ...assignment,
    response: newer(assignment.response, newest.get(assignment.id)),
  }));
  return { ...data, assignments };
}

/** A full or broken disk stores nothing, but does not prevent answering. */
async function fallbackOnError<Result>(operation: Promise<Result>, fallback: Result): Promise<Result> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof DOMException) return fallback;
    throw error;
  }
}

/** Questions of a pool that are taken ahead, so that the next one is there at once. */
const LEASED_AHEAD = 4;
const FEW_LEASES = 2;

function needsLeases(batch: BatchAssignments, assignments: Assignment[]): boolean {
  const open = assignments.filter(isOpen).length;
  return batch.batch.study.status === "open" && (batch.available ?? 0) > 0 && open < FEW_LEASES;
}

const leaseMore = (batch: Id, options: { timeoutMs?: number }) =>
  request<BatchAssignments>(`/api/v1/batches/${batch}/leases`, { method: "POST", json: { count: LEASED_AHEAD }, ...options });

/** How long to wait for a slow server before the batch on this device is shown. */
const CACHE_FALLBACK_MS = 8000;

/**
 * The server's batch, stored for the next time; without the server the stored one. `fewAreOpen`: the
 * page shows few open questions, of which the server may not have all answers yet.
 */
async function fetchBatch(account: Id, batch: Id, fewAreOpen: boolean): Promise<BatchAssignments> {
  const device = await sharedStore();
  const stored = await fallbackOnError(device.readBatch(account, batch), null);
  try {
    const options = stored ? { timeoutMs: CACHE_FALLBACK_MS } : {};
    const assigned = await request<BatchAssignments>(`/api/v1/batches/${batch}/assignments`, options);
    const isNeeded = needsLeases(assigned, fewAreOpen ? [] : assigned.assignments);
    const data = isNeeded ? await leaseMore(batch, options) : assigned;
    await fallbackOnError(device.storeBatch({ account, batch, data }), undefined);
    return await mergeNewest(device, account, data);
  } catch (error) {
    if (!stored || !isUnavailable(error)) throw error;
    return mergeNewest(device, account, stored);
  }
}

/** The one question that a coordinator adjudicates; nothing is stored but what is written. Also in a closed study. */
async function takeAdjudication(account: Id, { study, question }: AdjudicatedQuestion): Promise<TakenBatch> {
  const path = `/api/v1/studies/${study}/questions/${question}/adjudication`;
  const { sight, ...taken } = await request<TakenAdjudication>(path, { method: "POST" });
  const data = { ...taken, batch: { ...taken.batch, study: { ...taken.batch.study, status: "open" as const } } };
  return { ...await mergeNewest(await sharedStore(), account, data), sight };
}

/** sight: of an adjudication alone. */
type TakenBatch = BatchAssignments & { sight?: Sight };

export interface AdjudicatedQuestion {
  study: Id;
  question: Id;
  /** Where the answer stands beside the others' once it is submitted. */
  endPath: string;
}

export interface LoadedBatch {
  /** Only where a coordinator adjudicates: then it has one question. */
  adjudication?: AdjudicatedQuestion | undefined;
  /** Of an adjudication: what its coordinator had seen of the experts' answers. */
  sight?: Sight | undefined;
  details: BatchAssignments["batch"];
  /** As the page shows them: with the queued writes applied. */
  assignments: Assignment[];
  /** The newest response of the server. */
  saved: (assignment: Id) => Response | undefined;
  /** Questions of a pool that the expert does not have yet, and may get at most. */
  available: number;
  /** More of these are on their way. */
  isTakingMore: boolean;
}

export function useBatch(engine: SyncEngine | undefined, batchId: Id, adjudication?: AdjudicatedQuestion) {
  const fewAreOpen = useRef(false);
  const query = useQuery({
    queryKey: ["batch", engine?.account, batchId],
    queryFn: (): Promise<TakenBatch> => {
      const account = engine?.account ?? "";
      return adjudication ? takeAdjudication(account, adjudication) : fetchBatch(account, batchId, fewAreOpen.current);
    },
    enabled: engine !== undefined,
    networkMode: "always",
    staleTime: Infinity,
    // Fetched again whenever the page opens: the cached data lacks later answers.
    gcTime: 0,
  });
  const newest = useNewestResponses(engine);
  const queue = useSyncState(engine)?.queue;
  const leftOut = useLeftOut(queue);
  const read = useMemo((): Omit<LoadedBatch, "isTakingMore"> | undefined => {
    if (!query.data) return undefined;
    const saved = new Map(query.data.assignments.map(({ id, response }) => [id, newer(response, newest.get(id))]));
    const shown = query.data.assignments.filter(({ id }) => !leftOut.has(id));
    const assignments = shown.map((assignment) => ({
      ...assignment,
      response: applyQueuedWrites(
        saved.get(assignment.id) ?? assignment.response,
        (queue ?? []).filter((item) => item.resource === assignment.id),
      ),
    }));
    const { batch: details, available = 0, sight } = query.data;
    return { details, assignments, saved: (id) => saved.get(id), available, adjudication, sight };
  }, [query.data, newest, queue, leftOut, adjudication]);
  const isNeeded = query.data !== undefined && read !== undefined && needsLeases(query.data, read.assignments);
  // Before the last one is answered.
  useWhenTrue(isNeeded, () => {
    fewAreOpen.current = true;
    void query.refetch();
  });
  const batch = read && { ...read, isTakingMore: isNeeded && query.isFetching };
  return { batch, error: query.error, failure: query.failureReason, reload: () => void query.refetch() };
}

/**
 * Questions with a declared conflict of interest, which are never shown again: also once the server has
 * the declaration, but not while it is blocked, as then the expert has to decide.
 */
function useLeftOut(queue: QueuedWrite[] = NO_WRITES): ReadonlySet<Id> {
  const [leftOut, setLeftOut] = useState<ReadonlySet<Id>>(new Set());
  const isBlocked = (id: Id) => queue.some(({ resource, blocked }) => resource === id && blocked);
  const declared = queue.filter(({ write }) => write.conflict).map(({ resource }) => resource);
  const next = new Set([...leftOut, ...declared].filter((id) => !isBlocked(id)));
  if (next.size !== leftOut.size || [...next].some((id) => !leftOut.has(id))) setLeftOut(next);
  return leftOut;
}

const NO_WRITES: QueuedWrite[] = [];

function useNewestResponses(engine: SyncEngine | undefined): Map<Id, Response> {
  const [newest, setNewest] = useState(new Map<Id, Response>());
  useEffect(
    () =>
      engine?.onMessage(({ resource, response }) => {
        if (response) setNewest((known) => new Map(known).set(resource, response));
      }),
    [engine],
  );
  return newest;
}
