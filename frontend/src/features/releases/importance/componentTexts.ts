interface ComponentText {
  label: string;
  definition: string;
  /** Of its values. */
  unit: string;
  /** How it is computed here, and of which graph. */
  computed: string;
  /** What to give so that the component is there. */
  missing: string;
}

const LATER = "No link was first seen between the test year and the importance year.";

/** Of section 5.7 of the paper, in the order of its Table 2. */
export const COMPONENT_TEXTS: Record<string, ComponentText> = {
  integrated_gradients: {
    label: "Integrated gradients",
    definition: "What the link contributed to a network's score of the links that were first seen after it.",
    unit: "change of the score",
    computed: "A graph convolution network of two layers is trained on the links of the test year. The gradient of the summed scores of later links is integrated from no links to all of them.",
    missing: LATER,
  },
  eigenvector_change: {
    label: "Change of centrality",
    definition: "How much the difference of the eigenvector centralities of both ends grew from the test year to the importance year.",
    unit: "difference of centralities",
    computed: "The absolute difference of the ends' centralities in the importance year, minus that in the test year.",
    missing: LATER,
  },
  betweenness: {
    label: "Betweenness",
    definition: "The share of shortest paths that pass through the link, summed over pairs of ends of links first seen later.",
    unit: "pairs of ends",
    computed: "On the graph of the test year; above 1,000 ends, from a sample of them.",
    missing: LATER,
  },
  jaccard: {
    label: "Unlike neighbours",
    definition: "How little the neighbours of both ends' neighbours overlapped before the discovery. The lower Jaccard's index, the higher the rank.",
    unit: "Jaccard's index",
    computed: "Jaccard's index of the second-order neighbourhoods in the training graph: shared entities ÷ all entities of both.",
    missing: "The release has no training graph.",
  },
  mentions: {
    label: "Mentions",
    definition: "How many papers mention both ends after the test year and until the importance year.",
    unit: "papers",
    computed: "Summed from a table of mentions by year.",
    missing: "No table of mentions was given: make_dyport --mentions.",
  },
  citations: {
    label: "Citations",
    definition: "How often papers that mention both ends were cited until the importance year.",
    unit: "citations",
    computed: "Summed from a table of citations by year.",
    missing: "No table of citations was given: make_dyport --citations.",
  },
};

export const componentLabel = (name: string) => COMPONENT_TEXTS[name]?.label ?? name;
export const valueText = (value: number | null | undefined) => (
  value === null || value === undefined ? "not stored" : Number(value.toPrecision(3)).toString().replaceAll("-", "\u2212")
);
