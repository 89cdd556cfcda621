import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import { jobKey, JOBS_KEY, type Job } from "@/domains/jobs/jobs";
import { ENDPOINTS_KEY, ENDPOINTS_URL, endpointQuery, endpointUrl, type Endpoint } from "@/domains/endpoints/queries";
import { useMutation } from "@/lib/useMutation";
import type { EndpointChanges, NewEndpoint } from "./draft";

function useStored() {
  const queries = useQueryClient();
  return {
    onSuccess: (endpoint: Endpoint) => queries.setQueryData(endpointQuery(endpoint.id).queryKey, endpoint),
    onSettled: () => queries.invalidateQueries({ queryKey: ENDPOINTS_KEY }),
  };
}

export function useAddEndpoint() {
  const stored = useStored();
  return useMutation({ mutationFn: (json: NewEndpoint) => request<Endpoint>(ENDPOINTS_URL, { method: "POST", json }), ...stored });
}

export function useChangeEndpoint(id: string) {
  const stored = useStored();
  return useMutation({ mutationFn: (json: EndpointChanges) => request<Endpoint>(endpointUrl(id), { method: "PATCH", json }), ...stored });
}

/** The lists are read again; the page of the endpoint, which is gone, is not. */
export function useRetireEndpoint(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>(endpointUrl(id), { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ENDPOINTS_KEY, refetchType: "none" }),
  });
}

export function useProbe(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => request<Job>(`${endpointUrl(id)}/probe`, { method: "POST" }),
    onSuccess: (job) => queries.setQueryData(jobKey(job.id), job),
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS_KEY }),
  });
}
