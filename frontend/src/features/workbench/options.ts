/** The choices that the paper leaves open, as an address carries them and as they are shown. */

export interface Options {
  direction: "both" | "out";
  dangling: "self" | "uniform";
  support: "all" | "candidates";
  novelty: "printed" | "conditional";
  method: "propagation" | "gcn";
  weighted: "false" | "true";
}

interface Choice<Name extends keyof Options> {
  name: Name;
  label: string;
  values: { value: Options[Name]; label: string; hint: string }[];
}

/** The first value of each is the default. */
export const OPTION_CHOICES: { [Name in keyof Options]: Choice<Name> } = {
  direction: {
    name: "direction",
    label: "How links are walked",
    values: [
      { value: "both", label: "Either way", hint: "Each link can be walked in both directions." },
      { value: "out", label: "As they point", hint: "Only from source to target. Fewer pairs can be reached." },
    ],
  },
  dangling: {
    name: "dangling",
    label: "An entity without links",
    values: [
      { value: "self", label: "Stays where it is", hint: "The walk stays at this entity." },
      { value: "uniform", label: "Leads anywhere", hint: "The walk continues at a random entity." },
    ],
  },
  support: {
    name: "support",
    label: "Surprise is measured over",
    values: [
      { value: "all", label: "All entities", hint: "The distribution of walks over the whole graph." },
      { value: "candidates", label: "The two sets alone", hint: "Faster, but ignores the rest of the graph." },
    ],
  },
  novelty: {
    name: "novelty",
    label: "Novelty weighs its entities by",
    values: [
      { value: "printed", label: "Their share of the whole graph", hint: "As in the paper. It hardly differs between sets." },
      { value: "conditional", label: "Their share of the existing set", hint: "The same formula, with P(i) normalised over the set." },
    ],
  },
  method: {
    name: "method",
    label: "Relevance comes from",
    values: [
      { value: "propagation", label: "Propagation", hint: "Vectors from propagation over the links, without training." },
      { value: "gcn", label: "A trained network", hint: "Two layers, trained on link prediction." },
    ],
  },
  weighted: {
    name: "weighted",
    label: "Links count",
    values: [
      { value: "false", label: "The same", hint: "Every link has weight 1." },
      { value: "true", label: "By their score", hint: "From 0.01 to 1 by its score among links of the relation; 1 without a score." },
    ],
  },
};

export const OPTION_NAMES = Object.keys(OPTION_CHOICES) as (keyof Options)[];

export const DEFAULTS = Object.fromEntries(OPTION_NAMES.map((name) => [name, OPTION_CHOICES[name].values[0]?.value])) as unknown as Options;

export function readOptions(params: URLSearchParams): Partial<Options> {
  const named = OPTION_NAMES.flatMap((name) => {
    const value = params.get(name);
    return OPTION_CHOICES[name].values.some((one) => one.value === value) ? [[name, value]] : [];
  });
  return Object.fromEntries(named) as Partial<Options>;
}
