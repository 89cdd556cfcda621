import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Id } from "@/api/contract";
import type { components } from "@/api/generated/schema";
import { useMutation } from "@/lib/useMutation";

export type PartitionedStudy = components["schemas"]["ConsensusPartitions"];

/** Of the workbench, which shows partitions. */
const PARTITION_QUERY_KEYS: unknown[] = ["question-sets", "questions", "workbench"];

export function useCreatePartitions(study: Id) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (usesAdjudicated: boolean) =>
      request<PartitionedStudy>(`/api/v1/studies/${study}/partitions`, { method: "POST", json: { use_adjudicated: usesAdjudicated } }),
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => PARTITION_QUERY_KEYS.includes(queryKey[0]) }),
  });
}
