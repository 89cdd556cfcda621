/** A question to try: its wording and pattern were written for this project, its answer is a published fact. */
import type { QuestionCheckItem } from "../answer";

export const PRACTICE_ITEM: QuestionCheckItem = {
  id: "practice-check",
  file_id: "0",
  number: 1,
  text: "Which drug block the receptor that is blocked for it?",
  category: "",
  resources: [],
  pattern: 'MATCH (n0:Drug)-[:BLOCKS]->(n1:Gene {name: "HRH2"})\nMATCH (n0)-[:TREATS]->(n2:Disease {name: "Peptic ulcer"})\nRETURN n0',
  answers: ["Cimetidine", "Famotidine"],
  scales: [
    { name: "Grammar", question: "Is it grammatical English?", low: "Cannot be read", high: "No mistake" },
    { name: "Clarity", question: "Can it be understood, and does it mean what the pattern means?", low: "Not at all", high: "Entirely" },
    { name: "Biological relevance", question: "Would a biologist or physician want the answer?", low: "Nobody", high: "Many" },
  ],
};

export const EXPLANATION =
  "‘Drug block’ is a fault of grammar, so 2 or 3. Neither the receptor nor the disease is named, so clarity is 1. What the pattern means is relevant: these drugs changed how ulcers are treated. A better wording: ‘Which drugs that block the histamine H2 receptor treat peptic ulcers?’";

export const SOURCES = [
  { claim: "Black and others, Nature 1972: definition and antagonism of histamine H2-receptors", url: "https://doi.org/10.1038/236385a0" },
  { claim: "MedlinePlus: H2 blockers", url: "https://medlineplus.gov/ency/patientinstructions/000382.htm" },
];
