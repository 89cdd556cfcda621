/** A claim to try, from published facts that the sources below report. */
import type { ClaimItem } from "../answer";

export const PRACTICE_CLAIM: ClaimItem = {
  id: "practice-claim",
  file_id: "0",
  number: 1,
  text: "Vitamin C cures scurvy.",
  category: "",
  resources: [],
  documents: [
    {
      id: "lind-1753",
      title: "A treatise of the scurvy (summary)",
      source: "https://www.jameslindlibrary.org/lind-j-1753/",
      sentences: [
        "In 1747 James Lind compared six treatments in twelve sailors with scurvy. ",
        "Two of them ate oranges and lemons. ",
        "These two recovered best and soonest.",
      ],
    },
  ],
  edges: [
    { source: "Vitamin C", relation: "treats", target: "Scurvy", origin: "MedlinePlus" },
    { source: "Lemon", relation: "contains", target: "Vitamin C", origin: "USDA FoodData Central" },
  ],
  is_because_required: true,
};

export const EXPLANATION =
  "The evidence supports it. The edge ‘Vitamin C – treats → Scurvy’ decides alone. The trial names fruit, not vitamin C: its sentences count together with what lemons contain.";

export const SOURCES = [
  { claim: "The James Lind Library: Lind’s treatise of 1753", url: "https://www.jameslindlibrary.org/lind-j-1753/" },
  { claim: "MedlinePlus: scurvy and its treatment", url: "https://medlineplus.gov/ency/article/000355.htm" },
];
