import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { request } from "@/api/client";
import type { Id } from "@/api/contract";
import { batchesQuery } from "@/domains/studies/batches";
import { CONSENT_VERSION } from "@/domains/studies/consent";
import { guidelinesQuery } from "@/domains/studies/guidelines/guidelinesQuery";
import { hasErrorCode, errorMessage, fieldMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";

/** To the consent text and to this version of the guidelines (0 without any); then the page at `next` opens. */
export function useConsent(study: Id, next: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (guidelines: number) =>
      request<void>(`/api/v1/studies/${study}/consent`, { method: "POST", json: { version: CONSENT_VERSION, guidelines } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: batchesQuery.queryKey });
      await navigate(next);
    },
    onError: (error) =>
      hasErrorCode(error, "consent_outdated") && queries.invalidateQueries({ queryKey: guidelinesQuery(study).queryKey }),
  });
}

export function consentError(error: unknown): string {
  if (!hasErrorCode(error, "consent_outdated")) return errorMessage(error);
  if (fieldMessage(error, "guidelines")) return "The guidelines have changed again. Read the new version above, then go on.";
  return "The text has changed. Reload the page to read the new version.";
}
