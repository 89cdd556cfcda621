import { useSearchParams } from "react-router";
import { CHOICES, DEFAULTS, readOptions, type Options } from "./options";

export type Side = "existing" | "serendipity";

/** Two sets of entities and the options, as the address has them. */
export function useSets() {
  const [params, setParams] = useSearchParams();
  const change = (edit: (after: URLSearchParams) => void) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        edit(after);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  const options = readOptions(params);
  return {
    existing: [...new Set(params.getAll("existing"))],
    serendipity: [...new Set(params.getAll("serendipity"))],
    options,
    allOptions: { ...DEFAULTS, ...options },
    add: (side: Side, id: string) => change((after) => after.append(side, id)),
    take: (side: Side, id: string) => change((after) => after.delete(side, id)),
    choose: (name: keyof Options, value: string) =>
      change((after) => (value === CHOICES[name].values[0]?.value ? after.delete(name) : after.set(name, value))),
  };
}
