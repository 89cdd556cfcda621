/** The choices that the paper leaves open, as an address carries them and as they are said. */

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

/** The first value of each is what holds when nothing is said. */
export const CHOICES: { [Name in keyof Options]: Choice<Name> } = {
  direction: {
    name: "direction",
    label: "How links are walked",
    values: [
      { value: "both", label: "Either way", hint: "A link leads from each of its ends to the other." },
      { value: "out", label: "As they point", hint: "Only from source to target. Few pairs are then within reach." },
    ],
  },
  dangling: {
    name: "dangling",
    label: "An entity without links",
    values: [
      { value: "self", label: "Stays where it is", hint: "The walk does not leave it." },
      { value: "uniform", label: "Leads anywhere", hint: "The walk goes on at any entity, each as likely." },
    ],
  },
  support: {
    name: "support",
    label: "Surprise is measured over",
    values: [
      { value: "all", label: "All entities", hint: "Where walks from the two sets arrive in the whole graph." },
      { value: "candidates", label: "The two sets alone", hint: "Cheaper, and blind to everything around them." },
    ],
  },
  novelty: {
    name: "novelty",
    label: "Novelty weighs its entities by",
    values: [
      { value: "printed", label: "Their share of the whole graph", hint: "As printed in the paper; it hardly differs from set to set." },
      { value: "conditional", label: "Their share of the existing set", hint: "The same formula with P(i) made to sum to 1 over the set." },
    ],
  },
  method: {
    name: "method",
    label: "Relevance comes from",
    values: [
      { value: "propagation", label: "Propagation", hint: "Vectors found from the links without training." },
      { value: "gcn", label: "A trained network", hint: "Two layers, trained to tell links from pairs without one." },
    ],
  },
  weighted: {
    name: "weighted",
    label: "Links count",
    values: [
      { value: "false", label: "The same", hint: "Each as one, however sure its source is." },
      { value: "true", label: "By their score", hint: "From 0.01 to 1 by its source's score among links of its relation; without a score, 1." },
    ],
  },
};

export const OPTION_NAMES = Object.keys(CHOICES) as (keyof Options)[];

export const DEFAULTS = Object.fromEntries(OPTION_NAMES.map((name) => [name, CHOICES[name].values[0]?.value])) as unknown as Options;

export function readOptions(params: URLSearchParams): Partial<Options> {
  const named = OPTION_NAMES.flatMap((name) => {
    const value = params.get(name);
    return CHOICES[name].values.some((one) => one.value === value) ? [[name, value]] : [];
  });
  return Object.fromEntries(named) as Partial<Options>;
}
