/** The stored method for the surroundings of a release's questions, in place of a partition's. */
export const SURROUNDINGS = "surroundings";
const METHOD_LABELS: Record<string, string> = { llm: "language models", expert: "experts", rns: "RNS", [SURROUNDINGS]: "surroundings of the questions" };

/** Within a sentence: 'masked by experts'. */
export const methodLabel = (method: string) => METHOD_LABELS[method] ?? method;
