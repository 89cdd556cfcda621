import type { PracticeCandidate, PracticeQuestion } from "./practiceQuery";

export function makeCandidate(name: string, prior_rank: number, relevance: number, surprise: number): PracticeCandidate {
  const link = `https://example.org/${name}`;
  return { id: name, name, link, prior_rank, hint: `About ${name}.`, rns: { relevance, novelty: 1, surprise } };
}

/** RNS puts Ibuprofen first where surprise counts, Oxycodone where relevance does; Suzetrigine never. */
export const CANDIDATES = [
  makeCandidate("Oxycodone", 1, -0.2, 0.2),
  makeCandidate("Ibuprofen", 2, -0.4, 0.6),
  makeCandidate("Suzetrigine", 3, -0.4, 0.2),
];

export function makeQuestion(text: string): PracticeQuestion {
  const prior = CANDIDATES.map(({ id }) => [id]);
  return {
    item: { id: text, file_id: "9000", number: 1, text, category: "Pain", resources: [], candidates: CANDIDATES, prior },
    published: "Suzetrigine",
    explanation: "Suzetrigine is the documented surprise.",
    sources: [{ claim: "It was approved.", source: "The agency", url: "https://example.org/source" }],
  };
}
