import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useParams, useSearchParams } from "react-router";
import { benchQuery, exportAddress, type Bench, type BenchAsked } from "./api";
import { CHOICES, DEFAULTS, OPTION_NAMES, readOptions, type Options } from "./options";
import { readWeights } from "./simplex";
import { pinned, type Pins } from "./useWeights";

/** What another question of the set is looked at with too. */
const KEPT = ["w", "graph", "snapshot", ...OPTION_NAMES];

/** The question of this page as its address asks for it. */
export function useBench() {
  const { questionId = "" } = useParams();
  const [params, setParams] = useSearchParams();
  const asked: BenchAsked = {
    graph: params.get("graph"), snapshot: params.get("snapshot"), size: params.get("size"), options: readOptions(params),
  };
  const query = useQuery(benchQuery(questionId, asked));
  useNamed(questionId, asked, query.isPlaceholderData ? undefined : query.data);
  const set = (name: string, value: string, pins: Pins = {}) =>
    setParams((before) => pinned(before, { [name]: value }, pins), { replace: true, preventScrollReset: true });
  const options = { ...DEFAULTS, ...asked.options };
  return {
    questionId,
    options,
    /** Whether the address asks for anything but what holds by itself. */
    isChosen: Object.keys(asked.options).length > 0 || asked.size !== null,
    query,
    set,
    choose: (name: keyof Options, value: string, pins: Pins = {}) =>
      set(name, value === CHOICES[name].values[0]?.value ? "" : value, pins),
    candidate: params.get("c"),
    weights: readWeights(params.get("w")),
    exportAddress: exportAddress(questionId, query.data ? { ...asked, graph: query.data.graph.slug, snapshot: query.data.snapshot } : asked),
    placeOf: (id: string) => questionPlace(id, params),
  };
}

/** An answer to 'the newest version' is also that version's: naming it in the address asks nothing again. */
function useNamed(questionId: string, asked: BenchAsked, bench: Bench | undefined) {
  const queries = useQueryClient();
  const named = bench && { ...asked, graph: bench.graph.slug, snapshot: bench.snapshot };
  const key = named && JSON.stringify(benchQuery(questionId, named).queryKey);
  useEffect(() => {
    if (key && bench) queries.setQueryData(JSON.parse(key) as string[], (before: Bench | undefined) => before ?? bench);
  }, [queries, key, bench]);
}

/** Another question, looked at in the same way. */
export function questionPlace(id: string, params = new URLSearchParams()): string {
  const kept = new URLSearchParams(KEPT.flatMap((name) => params.getAll(name).map((value) => [name, value])));
  const text = kept.toString();
  return `/workbench/${encodeURIComponent(id)}${text ? `?${text}` : ""}`;
}
