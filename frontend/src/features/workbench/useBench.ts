import { useQuery } from "@tanstack/react-query";
import { useParams, useSearchParams } from "react-router";
import { benchQuery, exportAddress, type BenchAsked } from "./api";
import { CHOICES, DEFAULTS, OPTION_NAMES, readOptions, type Options } from "./options";

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
  const set = (name: string, value: string | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === null || value === "") after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  const options = { ...DEFAULTS, ...asked.options };
  return {
    questionId,
    options,
    /** Whether the address asks for anything but what holds by itself. */
    isChosen: Object.keys(asked.options).length > 0 || asked.size !== null,
    query,
    set,
    choose: (name: keyof Options, value: string) => set(name, value === CHOICES[name].values[0]?.value ? null : value),
    candidate: params.get("c"),
    exportAddress: exportAddress(questionId, asked),
    placeOf: (id: string) => questionPlace(id, params),
  };
}

/** Another question, looked at in the same way. */
export function questionPlace(id: string, params = new URLSearchParams()): string {
  const kept = new URLSearchParams(KEPT.flatMap((name) => params.getAll(name).map((value) => [name, value])));
  const text = kept.toString();
  return `/workbench/${encodeURIComponent(id)}${text ? `?${text}` : ""}`;
}
