import { useMemo } from "react";
import { useParams, useSearchParams } from "react-router";
import type { GraphRef } from "./graphQueries";

/** The graph of this page, and its version where the address pins one. */
export function useGraphParams(): GraphRef {
  const { slug = "" } = useParams();
  const [params] = useSearchParams();
  const snapshot = params.get("snapshot");
  const until = parseCutoff(params.get("until"));
  return useMemo(() => ({ slug, snapshot, until }), [slug, snapshot, until]);
}

const MAX_CUTOFF = 999_999_999;

/** A year or a PMID of the address; null for anything else. */
export function parseCutoff(text: string | null): number | null {
  if (!text || !/^[1-9]\d{0,8}$/.test(text)) return null;
  const value = Number(text);
  return value <= MAX_CUTOFF ? value : null;
}
