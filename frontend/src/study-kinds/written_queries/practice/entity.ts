/** An entity to try: its text was written for this project, its facts are published. */
import type { WrittenQueryItem } from "../answer";

export const PRACTICE_ENTITY: WrittenQueryItem = {
  id: "practice-entity",
  file_id: "0",
  number: 1,
  text: "Write a query whose answer is Famotidine.",
  category: "Drug",
  resources: [],
  answer: "Famotidine",
  synonyms: ["Pepcid"],
  identifiers: ["DRUGBANK:DB00927"],
  documents: [
    {
      id: "practice-document",
      title: "What it is",
      source: "https://medlineplus.gov/druginfo/meds/a687011.html",
      sentences: ["It lets the stomach make less acid. ", "Weaker tablets need no prescription."],
    },
  ],
  edges: [
    { source: "Famotidine", relation: "blocks or inhibits", target: "histamine H2 receptor", origin: "" },
    { source: "Famotidine", relation: "treats", target: "peptic ulcer", origin: "" },
    { source: "Famotidine", relation: "belongs to the class", target: "H2 antagonists", origin: "" },
  ],
};

export const EXPLANATION =
  "A good query combines what leads to few answers: ‘Which medicine against stomach ulcers blocks the H2 receptor and is sold without a prescription in weaker tablets?’ Cimetidine fits as well, so a second expert may find it too broad.";

export const SOURCES = [
  { claim: "MedlinePlus: famotidine", url: "https://medlineplus.gov/druginfo/meds/a687011.html" },
  { claim: "Wu and others, STaRK, 2024: queries written by people", url: "https://arxiv.org/abs/2404.13207" },
];
