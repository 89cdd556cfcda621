import { useUrlParams } from "@/lib/useUrlParams";
import { OPTION_CHOICES, DEFAULTS, readOptions, type Options } from "./options";

export type SetSide = "existing" | "serendipity";

/** Two sets of entities and the options, as the address has them. */
export function useEntitySets() {
  const [params, change] = useUrlParams();
  const options = readOptions(params);
  const sets = {
    existing: [...new Set(params.getAll("existing"))],
    serendipity: [...new Set(params.getAll("serendipity"))],
  };
  return {
    ...sets,
    options,
    allOptions: { ...DEFAULTS, ...options },
    add: (side: SetSide, id: string) => change({ [side]: [...sets[side], id] }),
    take: (side: SetSide, id: string) => change({ [side]: sets[side].filter((other) => other !== id) }),
    choose: (name: keyof Options, value: string) =>
      change({ [name]: value === OPTION_CHOICES[name].values[0]?.value ? null : value }),
  };
}
