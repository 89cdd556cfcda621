import { useMemo } from "react";
import { useParams, useSearchParams } from "react-router";
import type { Where } from "@/lib/graphs/reading";

/** The graph of this page, and its version where the address pins one. */
export function useWhere(): Where {
  const { slug = "" } = useParams();
  const [params] = useSearchParams();
  const snapshot = params.get("snapshot");
  return useMemo(() => ({ slug, snapshot }), [slug, snapshot]);
}
