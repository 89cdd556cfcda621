import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { releaseUrl, type Release } from "@/domains/evaluation/queries";
import { useMutation } from "@/lib/useMutation";
import { fieldsAsJson, type ReleaseChanges, type ReleaseFields } from "./releaseFields";

export type TargetState = components["schemas"]["ReleaseStateRequest"]["state"];

function useReadReleasesAgain() {
  const queries = useQueryClient();
  return () => Promise.all([
    queries.invalidateQueries({ queryKey: ["releases"] }),
    queries.invalidateQueries({ queryKey: ["boards"] }),
  ]);
}

export interface NewRelease {
  track: string;
  slug: string;
  graph: string;
  /** Methods of partitions: of the items, and of the masked graph that they are about. Empty: the track's own. */
  partition: string;
  maskedBy: string;
  testShare: string;
  seed: string;
  /** A PMID or a year; empty for none. */
  cutoff: string;
  files: File[];
  fields: ReleaseFields;
}

export function useMakeRelease() {
  return useMutation({
    meta: { isLong: true },
    mutationFn: ({ track, slug, graph, partition, maskedBy, testShare, seed, cutoff, files, fields }: NewRelease) => {
      const form = new FormData();
      const texts = { track, slug, graph, partition, masked_by: maskedBy, test_share: String(Number(testShare) / 100), seed, cutoff, ...fieldsAsJson(fields) };
      for (const [name, value] of Object.entries(texts)) if (value !== null && value !== "") form.set(name, String(value));
      for (const file of files) form.append("files", file);
      return request<Release>("/api/v1/releases", { method: "POST", form });
    },
    onSuccess: useReadReleasesAgain(),
  });
}

export function useChangeRelease(slug: string) {
  return useMutation({
    mutationFn: (json: ReleaseChanges & { version: number }) => request<Release>(releaseUrl(slug), { method: "PATCH", json }),
    onSuccess: useReadReleasesAgain(),
  });
}

/** Of this version. The lists are read again; the page of the release, which is gone, is not. */
export function useDeleteDraft(slug: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (version: number) => request<undefined>(`${releaseUrl(slug)}?version=${version}`, { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["releases"], refetchType: "none" }),
    onError: useReadReleasesAgain(),
  });
}

/** version: that of the release which the page shows; after a refusal it shows the present one. */
export function useChangeState(slug: string) {
  return useMutation({
    mutationFn: (json: { state: TargetState; version: number }) => request<Release>(`${releaseUrl(slug)}/state`, { method: "POST", json }),
    onSettled: useReadReleasesAgain(),
  });
}
