/** A query to try: its wording was written for this project, its answer is a published fact. */
import type { RatingsItem } from "../answer";

export const PRACTICE_ITEM: RatingsItem = {
  id: "practice-query",
  file_id: "0",
  number: 1,
  text: "Which medicine for osteoarthritis pain blocks COX-2 much more than COX-1, so that it spares the stomach?",
  category: "",
  resources: [],
  details: "Answer in the graph: celecoxib.",
  scales: [
    { name: "Naturalness", question: "Could a person have written it?", low: "Not at all", high: "Entirely" },
    { name: "Practicality", question: "Would the answer be of use to somebody?", low: "To nobody", high: "To many people" },
  ],
};

export const EXPLANATION =
  "There is no correct level. Physicians look up such medicines, which speaks for 4 or 5 in practicality; the aside about the stomach reads as people write. In the trial below, fewer people had ulcers and their complications with celecoxib in the first six months.";

export const SOURCES = [
  { claim: "Silverstein and others, JAMA 2000: gastrointestinal toxicity with celecoxib (CLASS)", url: "https://doi.org/10.1001/jama.284.10.1247" },
  { claim: "Wu and others, STaRK, 2024: naturalness, diversity and practicality of queries", url: "https://arxiv.org/abs/2404.13207" },
];
