import type { Id } from "@/api/contract";

/** The page on which a question is adjudicated. */
export const adjudicationPath = (study: Id, question: Id) => `/studies/${study}/adjudicate/${question}`;
