import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useParams, useSearchParams } from "react-router";
import { workbenchQuery, exportUrl, type Workbench, type WorkbenchRequest } from "./api";
import { OPTION_CHOICES, DEFAULTS, OPTION_NAMES, readOptions, type Options } from "./options";
import { parseWeights } from "@/lib/weights/simplex";
import { withPins, type PinnedParams } from "./useWeights";

/** What another question of the set is looked at with too. */
const SHARED_PARAMS = ["w", "by", "graph", "snapshot", ...OPTION_NAMES];

/** The question of this page with the options of its address. */
export function useWorkbench() {
  const { questionId = "" } = useParams();
  const [params, setParams] = useSearchParams();
  const request: WorkbenchRequest = {
    graph: params.get("graph"), snapshot: params.get("snapshot"), size: params.get("size"), options: readOptions(params),
  };
  const query = useQuery(workbenchQuery(questionId, request));
  useQuestionName(questionId, request, query.isPlaceholderData ? undefined : query.data);
  const set = (name: string, value: string, pins: PinnedParams = {}) =>
    setParams((before) => withPins(before, { [name]: value }, pins), { replace: true, preventScrollReset: true });
  const options = { ...DEFAULTS, ...request.options };
  return {
    questionId,
    options,
    /** Whether the address has an option other than the defaults. */
    isChosen: Object.keys(request.options).length > 0 || request.size !== null,
    query,
    set,
    choose: (name: keyof Options, value: string, pins: PinnedParams = {}) =>
      set(name, value === OPTION_CHOICES[name].values[0]?.value ? "" : value, pins),
    candidate: params.get("c"),
    order: params.get("by"),
    weights: parseWeights(params.get("w")),
    exportAddress: exportUrl(questionId, query.data ? { ...request, graph: query.data.graph.slug, snapshot: query.data.snapshot } : request),
    placeOf: (id: string) => questionUrl(id, params),
  };
}

/** An answer to 'the newest version' is also that version's: naming it in the address makes no new request. */
function useQuestionName(questionId: string, request: WorkbenchRequest, bench: Workbench | undefined) {
  const queries = useQueryClient();
  const named = bench && { ...request, graph: bench.graph.slug, snapshot: bench.snapshot };
  const key = named && JSON.stringify(workbenchQuery(questionId, named).queryKey);
  useEffect(() => {
    if (key && bench) queries.setQueryData(JSON.parse(key) as string[], (before: Workbench | undefined) => before ?? bench);
  }, [queries, key, bench]);
}

/** Another question, looked at in the same way. */
export function questionUrl(id: string, params = new URLSearchParams()): string {
  const shared = new URLSearchParams(SHARED_PARAMS.flatMap((name) => params.getAll(name).map((value) => [name, value])));
  const text = shared.toString();
  return `/workbench/${encodeURIComponent(id)}${text ? `?${text}` : ""}`;
}
