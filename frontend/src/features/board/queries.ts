import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { Board, Id, PartitionedStudy, Study, StudyStatus } from "@/api/contract";
import type { LineState } from "./line";

/** Presence ends without a word, so a board is read again even while nothing is told. */
const LIVE_MS = 60_000;
export const CHECK_MS = 15_000;
const SHOWING_PARTITIONS: unknown[] = ["question-sets", "questions", "workbench"];

export function boardKey(study: Id) {
  return ["board", study];
}

export function invitationsPath(study: Id): string {
  return `/api/v1/studies/${study}/invitations`;
}

export function useBoard(study: Id, line: LineState) {
  return useQuery({
    queryKey: boardKey(study),
    queryFn: () => call<Board>(`/api/v1/studies/${study}/board`),
    refetchInterval: line === "live" ? LIVE_MS : CHECK_MS,
  });
}

export function useChangeStatus(study: Id) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (status: StudyStatus) =>
      call<Study>(`/api/v1/studies/${study}`, { method: "PATCH", json: { status } }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: boardKey(study) }),
        queries.invalidateQueries({ queryKey: ["studies"] }),
      ]),
  });
}

export function useAssign(study: Id) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ expert, batches }: { expert: Id; batches: Id[] }) =>
      call<{ batches: Id[] }>(`/api/v1/studies/${study}/experts/${expert}/batches`, {
        method: "PUT",
        json: { batches },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: boardKey(study) }),
  });
}

/** The graph whose evidence the experts see: 'slug@number', or empty for none. */
export function usePin(study: Id) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (graph: string) => call<Study>(`/api/v1/studies/${study}/graph`, { method: "PUT", json: { graph } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: boardKey(study) }),
  });
}

/** The workbench reads again what it shows, for it has more to show now. */
export function useMakePartitions(study: Id) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<PartitionedStudy>(`/api/v1/studies/${study}/partitions`, { method: "POST", json: {} }),
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => SHOWING_PARTITIONS.includes(queryKey[0]) }),
  });
}
