const METHOD_LABELS: Record<string, string> = { llm: "language models", expert: "experts", rns: "RNS" };

/** Within a sentence: 'masked by experts'. */
export const methodLabel = (method: string) => METHOD_LABELS[method] ?? method;
