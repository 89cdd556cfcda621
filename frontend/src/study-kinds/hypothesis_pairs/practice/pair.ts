/** A pair to try, from published facts. Its first hypothesis is documented; the second is made up. */
import type { PairItem } from "../answer";

export const PRACTICE_PAIR: PairItem = {
  id: "practice-pair",
  file_id: "0",
  number: 1,
  text: "How does long-term use of aspirin change the risk of colorectal cancer?",
  category: "",
  resources: [],
  background:
    "Five randomised trials of aspirin, made to study vascular events, followed their participants for about 20 years. They also recorded colorectal cancers.",
  background_sentences: [
    "Five randomised trials of aspirin, made to study vascular events, followed their participants for about 20 years. ",
    "They also recorded colorectal cancers.",
  ],
  hypotheses: [
    {
      id: "a",
      hypothesis: "Aspirin lowers the risk of colorectal cancer, because it kills the bacteria that cause it.",
      sentences: [
        "Most colorectal cancers are caused by infection with one bacterium. ",
        "Aspirin is an antibiotic. ",
        "It therefore removes the cause.",
      ],
    },
    {
      id: "b",
      hypothesis: "Aspirin lowers the risk of colorectal cancer, because it inhibits cyclooxygenase-2 (COX-2).",
      sentences: [
        "Most colorectal cancers express more COX-2 than the tissue around them. ",
        "Aspirin inhibits COX-2. ",
        "It should therefore act mainly against cancers that express much COX-2.",
      ],
    },
  ],
};

export const EXPLANATION =
  "B is documented. In the trials, fewer people who took aspirin developed colon cancer, and in two cohorts the risk was lower for cancers with much COX-2 only. A reaches the same result from statements that no source supports: aspirin is not an antibiotic.";

export const SOURCES = [
  { claim: "Rothwell and others, Lancet 2010: 20-year follow-up of five randomised trials", url: "https://doi.org/10.1016/S0140-6736(10)61543-7" },
  { claim: "Chan, Ogino and Fuchs, N Engl J Med 2007: aspirin and the expression of COX-2", url: "https://doi.org/10.1056/NEJMoa067208" },
];
