/** Documents and edges that a question shows. */

export interface ShownDocument {
  id: string;
  title: string;
  source: string;
  sentences: string[];
}

export interface Edge {
  source: string;
  relation: string;
  target: string;
  origin: string;
}

/** The place of a sentence in a document, or of an edge where there is no document; from 0. */
export type PassageMark = { document: string | null; number: number };

export const edgeText = ({ source, relation, target }: Edge) => `${source} – ${relation} → ${target}`;
