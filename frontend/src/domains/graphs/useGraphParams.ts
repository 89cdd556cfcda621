import { useMemo } from "react";
import { useParams, useSearchParams } from "react-router";
import type { GraphRef } from "./graphQueries";

/** The graph of this page, and its version where the address pins one. */
export function useGraphParams(): GraphRef {
  const { slug = "" } = useParams();
  const [params] = useSearchParams();
  const snapshot = params.get("snapshot");
  return useMemo(() => ({ slug, snapshot }), [slug, snapshot]);
}
